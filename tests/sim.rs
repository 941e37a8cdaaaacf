//! The machines against tables computed elsewhere, plain recomputation, and their own invariants.

use countersign::sim::{
    Configuration, Device, Frames, LANES, Matrix, Measured, OccupancyStepper, Operands, Operation,
    Ratio, SimErrorKind, SystolicArray, SystolicTrace, TileReuse, Trace, WarpScheduler, WarpState,
    WarpTrace,
};

const A: [[i64; 4]; 4] = [[1, 2, 3, 4], [2, 1, 0, 1], [0, 1, 2, 1], [3, 0, 1, 2]];
const B: [[i64; 4]; 4] = [[1, 2, 3, 4], [0, 1, 0, 1], [2, 0, 1, 0], [1, 1, 1, 1]];

fn matrix(rows: &[[i64; 4]]) -> Matrix {
    let rows: Vec<Vec<i64>> = rows.iter().map(|row| row.to_vec()).collect();
    Matrix::new("matrix", &rows).expect("a good matrix")
}

fn loom(residents: &[u32], latency_cycles: &[u32]) -> WarpScheduler {
    WarpScheduler {
        warps: 4,
        steps: 4,
        residents: residents.to_vec(),
        latency_cycles: latency_cycles.to_vec(),
        start_residents: None,
        start_latency_cycles: None,
        operands: Some(Operands {
            a: matrix(&A),
            b: matrix(&B).repeat_columns("b", 8).expect("a good matrix"),
        }),
    }
}

fn warp_trace(trace: &Trace) -> &WarpTrace {
    match trace {
        Trace::WarpScheduler(trace) => trace,
        other => panic!("not a warp scheduler: {other:?}"),
    }
}

fn whole(value: u64) -> Option<Ratio> {
    Ratio::new(value, 1)
}

/// The table was computed by another program from the written rules.
#[test]
fn warp_scheduler_equals_the_table_of_every_run() {
    let table: serde_json::Value =
        serde_json::from_str(include_str!("fixtures/warp-scheduler.json")).unwrap();
    let rows = table.as_array().unwrap();
    assert_eq!(rows.len(), 128);
    for row in rows {
        let residents = u32::try_from(row["residents"].as_u64().unwrap()).unwrap();
        let latency = u32::try_from(row["latency"].as_u64().unwrap()).unwrap();
        let runs = loom(&[residents], &[latency]).run().unwrap();
        let trace = &runs.find(&[]).unwrap().trace;
        let place = format!("residents {residents}, latency {latency}");
        for name in ["cycles", "idle", "issued"] {
            assert_eq!(
                trace.result(name),
                whole(row[name].as_u64().unwrap()),
                "{place}: {name}"
            );
        }
        for (warp, finish) in row["finish"].as_array().unwrap().iter().enumerate() {
            let name = format!("finish.w{warp}");
            assert_eq!(
                trace.result(&name),
                whole(finish.as_u64().unwrap()),
                "{place}: {name}"
            );
        }
        let slots: Vec<String> = warp_trace(trace)
            .slots
            .iter()
            .map(|slot| {
                slot.map_or("--".to_owned(), |slot| {
                    format!("{}{}", slot.operation.letter(), slot.warp)
                })
            })
            .collect();
        let expected: Vec<&str> = row["slots"]
            .as_array()
            .unwrap()
            .iter()
            .map(|slot| slot.as_str().unwrap())
            .collect();
        assert_eq!(slots, expected, "{place}");
    }
}

#[test]
fn warp_scheduler_gives_the_figures_of_the_course() {
    let runs = loom(&[1, 2, 3, 4], &[4, 12]).run().unwrap();
    let figures = [
        (1, 4, 96, 48),
        (2, 4, 64, 16),
        (3, 4, 64, 16),
        (4, 4, 48, 0),
        (4, 12, 80, 32),
    ];
    for (residents, latency, cycles, idle) in figures {
        let run = runs
            .find(&[("residents", residents), ("latency", latency)])
            .unwrap();
        assert_eq!(run.trace.result("cycles"), whole(cycles));
        assert_eq!(run.trace.result("idle"), whole(idle));
        assert_eq!(run.trace.result("loads"), whole(32));
        assert_eq!(run.trace.result("multiply_adds"), whole(16));
        assert_eq!(run.trace.result("used"), Ratio::new(48, cycles));
        for (lane, sum) in [1, 4, 3, 6].into_iter().enumerate() {
            assert_eq!(
                run.trace.result(&format!("acc.w0.k1.lane{lane}")),
                whole(sum)
            );
        }
        assert_eq!(run.trace.result("acc.w0.k3.lane2"), whole(10));
        assert_eq!(run.trace.result("acc.w0.k3.lane32"), None);
        assert_eq!(run.trace.result("acc.w0.k03.lane2"), None);
        assert_eq!(run.trace.result("finish.w4"), None);
    }
    let w0 = |residents| {
        runs.find(&[("residents", residents), ("latency", 4)])
            .unwrap()
            .trace
            .result("finish.w0")
    };
    assert_eq!((w0(1), w0(4)), (whole(24), whole(45)));
}

/// A plain triple loop, which shares no code with the machines.
fn product(a: &[[i64; 4]], b: &[[i64; 4]]) -> Vec<Vec<i64>> {
    let cell = |row: usize, column: usize| (0..4).map(|k| a[row][k] * b[k][column]).sum();
    (0..a.len())
        .map(|row| (0..4).map(|column| cell(row, column)).collect())
        .collect()
}

#[test]
fn warp_accumulators_end_as_the_product() {
    let runs = loom(&[2], &[4]).run().unwrap();
    let expected = product(&A, &B);
    for (warp, row) in expected.iter().enumerate() {
        for lane in 0..LANES {
            let sum = runs.result(&format!("acc.w{warp}.k3.lane{lane}")).unwrap();
            assert_eq!(sum, Ratio::whole(row[lane % 4]));
        }
    }
}

/// Every small machine keeps its own rules, whatever the parameters.
#[test]
fn small_warp_schedulers_keep_their_rules() {
    for warps in 1..=8 {
        for residents in 1..=4 {
            let latencies: Vec<u32> = (0..=16).collect();
            let mut model = loom(&[residents], &latencies);
            model.warps = warps;
            model.steps = 3;
            model.operands = None;
            for run in model.run().unwrap().runs {
                check_rules(warp_trace(&run.trace));
            }
        }
    }
}

fn check_rules(trace: &WarpTrace) {
    assert_eq!(trace.issued() + trace.idle(), trace.cycles());
    assert_eq!(trace.issued(), trace.warps * trace.steps * 3);
    assert_eq!(trace.states.len(), trace.cycles() + 1);
    for warp in 0..trace.warps {
        let own: Vec<_> = trace
            .slots
            .iter()
            .enumerate()
            .filter_map(|(cycle, slot)| {
                slot.filter(|slot| slot.warp == warp)
                    .map(|slot| (cycle, slot))
            })
            .collect();
        for (index, chunk) in own.chunks(3).enumerate() {
            let operations: Vec<_> = chunk.iter().map(|(_, slot)| slot.operation).collect();
            assert_eq!(
                operations,
                [Operation::LoadA, Operation::LoadB, Operation::MultiplyAdd]
            );
            assert!(chunk.iter().all(|(_, slot)| slot.step == index));
            let usable = chunk[1].0 + trace.latency_cycles as usize;
            assert!(chunk[2].0 >= usable, "a multiply-add before its operand");
        }
        assert_eq!(own[own.len() - 1].0 + 1, trace.finish[warp] as usize);
    }
    for (cycle, states) in trace.states.iter().enumerate() {
        let resident = states
            .iter()
            .filter(|state| !matches!(state, WarpState::Absent | WarpState::Finished))
            .count();
        assert!(
            resident <= trace.residents as usize,
            "{resident} resident in cycle {cycle}"
        );
        let issuing = states
            .iter()
            .filter(|state| **state == WarpState::Issuing)
            .count();
        let slot = trace.slots.get(cycle).copied().flatten();
        assert_eq!(issuing, usize::from(slot.is_some()));
        let ready = states.contains(&WarpState::Ready);
        assert!(slot.is_some() || !ready, "an idle slot beside a ready warp");
    }
}

#[test]
fn frames_index_the_trace() {
    let runs = loom(&[1, 4], &[4, 12]).run().unwrap();
    let frames = Frames::new(&runs);
    assert_eq!(frames.runs.len(), 4);
    for (frame, run) in frames.runs.iter().zip(&runs.runs) {
        let trace = warp_trace(&run.trace);
        assert_eq!(frame.tracks.len(), trace.cycles() + 2);
        for (step, sentence) in frame.tracks.say.iter().enumerate() {
            assert!(!sentence.is_empty());
            for warp in 0..4 {
                let code = frame.tracks.state(&format!("w{warp}"), step).unwrap();
                assert_eq!(code, trace.state_at(step, warp).code());
                let done = trace.done_at(step, warp);
                for lane in 0..4 {
                    let text = frame
                        .tracks
                        .text(&format!("w{warp}.lane{lane}"), step)
                        .unwrap();
                    let value = trace.accumulator(warp, done, lane).unwrap();
                    assert_eq!(text, value.to_string());
                }
            }
        }
    }
    let first = &frames.runs[0].tracks;
    assert_eq!(first.say[0], "before cycle 0: 1 of 4 warps is resident");
    assert_eq!(
        first.say[3],
        "cycle 2: no warp is ready; warp 0 waits until cycle 5; 2 of 3 slots used"
    );
    assert_eq!(
        first.say[6],
        "cycle 5: warp 0 multiplies; 3 of 6 slots used"
    );
    assert_eq!(
        first.say[96],
        "cycle 95: warp 3 multiplies and finishes; 48 of 96 slots used"
    );
    assert_eq!(
        first.say[97],
        "after cycle 95: the job is done; 48 of 96 slots used"
    );
    let json = frames.to_json();
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        value["runs"][0]["say"][6],
        "cycle 5: warp 0 multiplies; 3 of 6 slots used"
    );
    assert_eq!(value["codes"]["n"][1], "not resident");
}

#[test]
fn all_faults_of_a_model_come_out_at_once() {
    let mut model = loom(&[0, 2, 2], &[4, 5000]);
    model.start_latency_cycles = Some(7);
    model.operands.as_mut().unwrap().b = matrix(&B);
    let errors = model.run().unwrap_err();
    let fields: Vec<_> = errors.iter().map(|error| error.field.as_str()).collect();
    assert_eq!(fields, ["residents", "latency", "operands.b"]);
    let many: Vec<u32> = (1..=40).collect();
    let errors = loom(&many, &[1, 2]).run().unwrap_err();
    assert_eq!(errors[0].kind, SimErrorKind::Limit);
    assert!(
        errors[0].message.contains("80 combinations"),
        "{}",
        errors[0]
    );
    let errors = loom(&[2, 2], &[]).run().unwrap_err();
    let messages: Vec<_> = errors.iter().map(ToString::to_string).collect();
    assert_eq!(
        messages,
        [
            "residents: 2 stands twice",
            "latency: the list is empty; give at least one value"
        ]
    );
}

#[test]
fn a_run_is_found_by_its_parameters() {
    let runs = loom(&[1, 4], &[4]).run().unwrap();
    assert_eq!(
        runs.find(&[("residents", 4)]).unwrap().parameters,
        [("residents", 4), ("latency", 4)]
    );
    assert!(
        runs.find(&[])
            .unwrap_err()
            .message
            .contains("say which: 1, 4")
    );
    assert!(
        runs.find(&[("residents", 3)])
            .unwrap_err()
            .message
            .contains("1, 4")
    );
    assert!(
        runs.find(&[("warps", 3)])
            .unwrap_err()
            .message
            .contains("residents, latency")
    );
    let table = runs.table();
    assert_eq!(
        table.headings,
        [
            "resident warps",
            "load latency, cycles",
            "cycles",
            "idle slots",
            "slots used"
        ]
    );
    assert_eq!(
        table.rows,
        [["1", "4", "96", "48", "50%"], ["4", "4", "48", "0", "100%"]]
    );
}

#[test]
fn a_sum_that_does_not_fit_is_a_fault() {
    let mut model = loom(&[1], &[1]);
    let huge = Matrix::new("a", &vec![vec![i64::MAX; 4]; 4]).unwrap();
    model.operands.as_mut().unwrap().a = huge;
    let errors = model.run().unwrap_err();
    assert_eq!(errors[0].field, "operands");
    assert!(errors[0].message.contains("64 bits"));
}

fn two_ways() -> OccupancyStepper {
    let configuration = |id: &str, resident_warps, items_per_thread, ms: &str| Configuration {
        id: id.to_owned(),
        label: format!("{id} warps"),
        resident_warps,
        items_per_thread,
        loads_per_item: 2,
        loads_in_flight: Some(64),
        measured: vec![Measured {
            title: "time".to_owned(),
            value: ms.to_owned(),
            unit: "ms".to_owned(),
        }],
    };
    OccupancyStepper {
        device: Device {
            name: "Tesla T4".to_owned(),
            compute_capability: "7.5".to_owned(),
            max_warps: 32,
        },
        configurations: vec![
            configuration("many", 32, 1, "0.785"),
            configuration("few", 8, 4, "0.798"),
        ],
    }
}

#[test]
fn two_ways_keep_the_same_loads_in_flight() {
    let runs = two_ways().run().unwrap();
    assert_eq!(runs.result("many.loads_in_flight"), whole(64));
    assert_eq!(runs.result("few.loads_in_flight"), whole(64));
    assert_eq!(runs.result("few.occupancy"), Ratio::new(1, 4));
    assert_eq!(runs.result("device.max_warps"), whole(32));
    assert_eq!(runs.result("none.occupancy"), None);
    for name in runs.runs[0].trace.result_names() {
        assert!(runs.result(&name).is_some(), "{name}");
    }
    let frames = Frames::new(&runs);
    let said: Vec<_> = frames.runs[0]
        .tracks
        .say
        .iter()
        .map(String::as_str)
        .collect();
    let expected = [
        "empty: each SM of a Tesla T4 has 32 warp slots, and none is filled",
        "resident – many warps: 32 of 32 warp slots filled; few warps: 8 of 32 warp slots filled",
        "one request each – many warps: 32 loads in flight; few warps: 8 loads in flight",
        "all requests in flight – many warps: 32 warps × 1 item × 2 loads = 64; few warps: 8 warps × 4 items × 2 loads = 64",
        "measured – many warps: 0.785 ms; few warps: 0.798 ms",
    ];
    assert_eq!(said, expected);
}

#[test]
fn a_total_that_does_not_come_out_is_a_fault() {
    let mut stepper = two_ways();
    stepper.configurations[1].loads_per_item = 1;
    stepper.configurations[0].resident_warps = 33;
    let errors = stepper.run().unwrap_err();
    let found: Vec<_> = errors
        .iter()
        .map(|error| (error.kind, error.to_string()))
        .collect();
    assert_eq!(
        found,
        [
            (
                SimErrorKind::Invalid,
                "configuration.many.resident_warps: 33 warps cannot be resident on an SM with 32 warp slots".to_owned()
            ),
            (
                SimErrorKind::Mismatch,
                "configuration.many.loads_in_flight: 33 warps × 1 item × 2 loads are 66 loads in flight, and not 64".to_owned()
            ),
            (
                SimErrorKind::Mismatch,
                "configuration.few.loads_in_flight: 8 warps × 4 items × 1 load are 32 loads in flight, and not 64".to_owned()
            ),
        ]
    );
}

fn course_operands(repeat: usize) -> Operands {
    Operands {
        a: matrix(&A),
        b: matrix(&B).repeat_columns("b", repeat).expect("few columns"),
    }
}

fn check_product(trace: &Trace, columns: usize) {
    for (row, values) in product(&A, &B).iter().enumerate() {
        for column in 0..columns {
            let sum = trace
                .result(&format!("acc.r{row}.c{column}"))
                .expect("a sum");
            assert_eq!(sum, Ratio::whole(values[column % 4]));
        }
    }
    for name in trace.result_names() {
        assert!(trace.result(&name).is_some(), "{name}");
    }
}

/// Recounts the fetches by asking, for every tile of C, which values its threads need.
fn fetches_by_sets(edge: usize, rows: usize, inner: usize, columns: usize) -> (u64, u64) {
    let (mut a, mut b) = (0, 0);
    for tile_row in 0..rows.div_ceil(edge) {
        for tile_column in 0..columns.div_ceil(edge) {
            let mut needed_a = std::collections::BTreeSet::new();
            let mut needed_b = std::collections::BTreeSet::new();
            for row in (0..rows).filter(|row| row / edge == tile_row) {
                for column in (0..columns).filter(|column| column / edge == tile_column) {
                    for k in 0..inner {
                        needed_a.insert((row, k));
                        needed_b.insert((k, column));
                    }
                }
            }
            a += needed_a.len() as u64;
            b += needed_b.len() as u64;
        }
    }
    (a, b)
}

#[test]
fn tiles_give_the_product_and_the_fetches_of_plain_counting() {
    let model = TileReuse {
        operands: course_operands(8),
        tile: vec![1, 2, 3, 4],
        start_tile: Some(4),
        value_bytes: 4,
    };
    let runs = model.run().unwrap();
    assert_eq!(runs.start, 3);
    for run in &runs.runs {
        let edge = run.parameters[0].1 as usize;
        check_product(&run.trace, 32);
        let (a, b) = fetches_by_sets(edge, 4, 4, 32);
        assert_eq!(run.trace.result("fetches_a"), whole(a), "edge {edge}");
        assert_eq!(run.trace.result("fetches_b"), whole(b), "edge {edge}");
        assert_eq!(run.trace.result("multiply_adds"), whole(512));
        assert_eq!(run.trace.result("fetches_without"), whole(1024));
    }
    let result = |edge, name| runs.find(&[("tile", edge)]).unwrap().trace.result(name);
    assert_eq!(
        (result(1, "fetches"), result(4, "fetches")),
        (whole(1024), whole(256))
    );
    assert_eq!(
        (
            result(1, "barriers"),
            result(2, "barriers"),
            result(4, "barriers")
        ),
        (whole(0), whole(128), whole(16))
    );
    assert_eq!(
        (result(1, "intensity"), result(4, "intensity")),
        (Ratio::new(1, 4), whole(1))
    );
    assert_eq!(result(4, "reuse"), whole(2));
}

fn check_tracks(runs: &countersign::sim::Runs) {
    let frames = Frames::new(runs);
    for run in &frames.runs {
        let count = run.tracks.len();
        for (id, codes) in &run.tracks.states {
            assert_eq!(codes.len(), count, "{id}");
            assert!(
                codes.chars().all(|code| frames.codes.contains_key(&code)),
                "{id}: {codes}"
            );
        }
        for (id, changes) in &run.tracks.texts {
            assert_eq!(changes[0].0, 0, "{id} has a text from the first frame");
            assert!(
                changes
                    .windows(2)
                    .all(|pair| pair[0].0 < pair[1].0 && pair[0].1 != pair[1].1),
                "{id}"
            );
            assert!(changes.iter().all(|(first, _)| *first < count), "{id}");
        }
    }
}

#[test]
fn every_kind_has_whole_tracks() {
    check_tracks(&loom(&[1, 4], &[4]).run().unwrap());
    check_tracks(&two_ways().run().unwrap());
    let tiles = TileReuse {
        operands: course_operands(1),
        tile: vec![1, 2, 3],
        start_tile: None,
        value_bytes: 4,
    };
    check_tracks(&tiles.run().unwrap());
    check_tracks(&array(2).run().unwrap());
}

fn array(repeat: usize) -> SystolicArray {
    SystolicArray {
        operands: course_operands(repeat),
        column_tile: Vec::new(),
        start_column_tile: None,
    }
}

fn systolic_trace(trace: &Trace) -> &SystolicTrace {
    match trace {
        Trace::SystolicArray(trace) => trace,
        other => panic!("not a systolic array: {other:?}"),
    }
}

#[test]
fn a_systolic_array_gives_the_product_in_its_cycles() {
    let runs = array(8).run().unwrap();
    assert_eq!(runs.runs.len(), 8);
    for run in &runs.runs {
        check_product(&run.trace, 4);
        assert_eq!(run.trace.result("cycles"), whole(10));
        assert_eq!(run.trace.result("multiply_adds"), whole(64));
        assert_eq!(run.trace.result("used"), Ratio::new(2, 5));
    }
    let said = &Frames::new(&runs).runs[0].tracks.say;
    assert_eq!(
        said[0],
        "before cycle 0: 16 cells wait for their first values"
    );
    assert_eq!(
        said[1],
        "cycle 0: 1 cell multiplies; 0 of 16 sums are complete"
    );
    assert_eq!(
        said[10],
        "cycle 9: 1 cell multiplies; 16 of 16 sums are complete"
    );
    assert_eq!(said[11], "after cycle 9: the product is complete");
}

#[test]
fn every_systolic_array_takes_three_edges_less_two() {
    for edge in 1..=8_i64 {
        let rows = |seed: i64| -> Vec<Vec<i64>> {
            (0..edge)
                .map(|row| {
                    (0..edge)
                        .map(|column| (row * 7 + column * 3 + seed) % 10 - 4)
                        .collect()
                })
                .collect()
        };
        let (a, b) = (rows(1), rows(5));
        let model = SystolicArray {
            operands: Operands {
                a: Matrix::new("a", &a).unwrap(),
                b: Matrix::new("b", &b).unwrap(),
            },
            column_tile: vec![0],
            start_column_tile: None,
        };
        let runs = model.run().unwrap();
        let trace = systolic_trace(&runs.runs[0].trace);
        let edge = usize::try_from(edge).unwrap();
        assert_eq!(trace.cycles(), 3 * edge - 2);
        for (row, column) in (0..edge * edge).map(|index| (index / edge, index % edge)) {
            let sum: i64 = (0..edge).map(|k| a[row][k] * b[k][column]).sum();
            assert_eq!(trace.product[row][column], sum);
            // A cell multiplies in exactly the cycles in which the wave passes it.
            for cycle in 0..trace.cycles() {
                let passes = (row + column..row + column + edge).contains(&cycle);
                assert_eq!(trace.state(cycle + 1, row, column) == 'm', passes);
            }
        }
    }
}

#[test]
fn operands_that_do_not_fit_are_faults() {
    let mut model = array(1);
    model.operands.b = Matrix::new("b", &[vec![1, 2, 3]]).unwrap();
    model.column_tile = vec![1];
    let errors: Vec<_> = model
        .run()
        .unwrap_err()
        .into_iter()
        .map(|error| error.to_string())
        .collect();
    assert_eq!(
        errors,
        [
            "operands.b: A has 4 columns and B has 1 row; a product needs as many rows of B as columns of A",
            "operands.b: B has 3 columns, and the array takes 4 at a time; give it a multiple of 4",
            "column_tile: there is no tile 1: B has 0 tiles, counted from 0",
        ]
    );
    let tiles = TileReuse {
        operands: course_operands(1),
        tile: vec![0, 5],
        start_tile: Some(2),
        value_bytes: 4,
    };
    assert_eq!(tiles.run().unwrap_err().len(), 2);
    assert!(
        Matrix::new("a", &[vec![1, 2], vec![3]])
            .unwrap_err()
            .message
            .contains("row 1 has 1 value")
    );
    assert!(Matrix::new("a", &[]).is_err());
}
