//! The warp scheduler against a table computed elsewhere, and its own rules.

use super::{A, B, loom, matrix, product, whole};
use countersign::sim::{
    Frames, LANES, Matrix, Operation, Ratio, SimErrorKind, Trace, WarpState, WarpTrace,
};

fn warp_trace(trace: &Trace) -> &WarpTrace {
    match trace {
        Trace::WarpScheduler(trace) => trace,
        other => panic!("not a warp scheduler: {other:?}"),
    }
}

/// The table was computed by another program from the written rules.
#[test]
fn warp_scheduler_equals_the_table_of_every_run() {
    let table: serde_json::Value =
        serde_json::from_str(include_str!("../fixtures/warp-scheduler.json")).unwrap();
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

#[test]
fn warp_instructions_are_found_by_their_cycle() {
    let runs = loom(&[4], &[12]).run().unwrap();
    let figures = [
        ("issue.w0.k0.b", Some(4)),
        ("issue.w3.k0.b", Some(7)),
        ("issue.w0.k0.m", Some(16)),
        ("issue.w3.k3.m", Some(79)),
        ("issue.w0.k4.m", None),
        ("issue.w4.k0.m", None),
        ("issue.w0.k0.c", None),
        ("lanes", Some(32)),
    ];
    for (name, cycle) in figures {
        assert_eq!(runs.result(name), cycle.and_then(whole), "{name}");
    }
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
    let slow: Vec<u32> = (600..606).collect();
    let errors = loom(&[1, 2], &slow).run().unwrap_err();
    assert!(
        errors[0].message.contains("at most 16384 are shown")
            || errors[0].message.contains("4094 cycles"),
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
