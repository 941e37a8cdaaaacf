//! The machines against tables computed elsewhere, plain recomputation, and their own invariants.

mod products;
mod warps;

use countersign::sim::{
    Configuration, Device, Frames, Matrix, Measured, OccupancyStepper, Operands, Ratio, Runs,
    SimErrorKind, SystolicArray, TileReuse, WarpScheduler,
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

fn whole(value: u64) -> Option<Ratio> {
    Ratio::new(value, 1)
}

/// A plain triple loop, which shares no code with the machines.
fn product(a: &[[i64; 4]], b: &[[i64; 4]]) -> Vec<Vec<i64>> {
    let cell = |row: usize, column: usize| (0..4).map(|k| a[row][k] * b[k][column]).sum();
    (0..a.len())
        .map(|row| (0..4).map(|column| cell(row, column)).collect())
        .collect()
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

fn check_tracks(runs: &Runs) {
    let frames = Frames::new(runs);
    for (run, frame) in runs.runs.iter().zip(&frames.runs) {
        assert_eq!(run.trace.frames(), frame.tracks.len());
    }
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
