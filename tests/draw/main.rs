//! Drawings: what a player shows equals the trace, texts have room, the XML is strict, and a few pictures
//! are compared byte for byte (`SNAPSHOTS=overwrite` accepts new ones).

mod labels;
mod pictures;
mod player;

use countersign::draw::{Moment, Scene, View, Width, draw};
use countersign::sim::{
    Configuration, Device, Matrix, Measured, OccupancyStepper, Operands, Runs, Simulation,
    SystolicArray, TileReuse, WarpScheduler,
};
use std::collections::BTreeSet;

const WIDTHS: [Width; 2] = [Width::Narrow, Width::Wide];

fn matrix(rows: usize, columns: usize) -> Matrix {
    let value =
        |row: usize, column: usize| i64::try_from((row * 3 + column * 5) % 7).unwrap_or(0) - 1;
    let row = |row: usize| (0..columns).map(|column| value(row, column)).collect();
    let rows: Vec<Vec<i64>> = (0..rows).map(row).collect();
    Matrix::new("matrix", &rows).expect("a good matrix")
}

fn operands(rows: usize, inner: usize, columns: usize) -> Operands {
    Operands {
        a: matrix(rows, inner),
        b: matrix(inner, columns),
    }
}

fn warps(count: u32, residents: &[u32], latency_cycles: &[u32]) -> Simulation {
    Simulation::WarpScheduler(WarpScheduler {
        warps: count,
        steps: 2,
        residents: residents.to_vec(),
        latency_cycles: latency_cycles.to_vec(),
        start_residents: None,
        start_latency_cycles: None,
        operands: Some(operands(count as usize, 2, 32)),
    })
}

fn configuration(
    id: &str,
    label: &str,
    resident_warps: u32,
    items_per_thread: u32,
) -> Configuration {
    Configuration {
        id: id.to_owned(),
        label: label.to_owned(),
        resident_warps,
        items_per_thread,
        loads_per_item: 2,
        loads_in_flight: None,
        measured: vec![Measured {
            title: "bandwidth".to_owned(),
            value: "252.20".to_owned(),
            unit: "GB/s".to_owned(),
        }],
    }
}

fn occupancy(label: &str) -> Simulation {
    Simulation::OccupancyStepper(OccupancyStepper {
        device: Device {
            name: "Tesla T4".to_owned(),
            compute_capability: "7.5".to_owned(),
            max_warps: 12,
        },
        configurations: vec![
            configuration("many", label, 12, 1),
            configuration("few", "few warps, five items each", 3, 5),
        ],
    })
}

fn tiles(tile: &[u32], columns: usize) -> Simulation {
    Simulation::TileReuse(TileReuse {
        operands: operands(4, 4, columns),
        tile: tile.to_vec(),
        start_tile: None,
        value_bytes: 4,
    })
}

fn array(edge: usize, tiles: usize) -> Simulation {
    Simulation::SystolicArray(SystolicArray {
        operands: operands(edge, edge, edge * tiles),
        column_tile: Vec::new(),
        start_column_tile: None,
    })
}

/// One of each kind, small and large.
fn all() -> Vec<(&'static str, Runs)> {
    let simulations = [
        ("warps", warps(4, &[1, 4], &[0, 12])),
        ("sixty-four warps", warps(64, &[7], &[20])),
        ("occupancy", occupancy("many warps, one item each")),
        ("tiles", tiles(&[1, 2, 3], 5)),
        ("wide tiles", tiles(&[4], 32)),
        ("array", array(3, 2)),
        ("large array", array(8, 1)),
    ];
    let run = |(name, simulation): (&'static str, Simulation)| {
        (name, simulation.run().expect("good parameters"))
    };
    simulations.into_iter().map(run).collect()
}

fn view(width: Width, moment: Moment) -> View<'static> {
    View {
        width,
        moment,
        title: "A title",
        description: "What it shows.",
    }
}

/// Every scene that a test looks at: each run, both widths, the whole and a choice of steps.
fn scenes() -> Vec<(String, Scene)> {
    let mut scenes = Vec::new();
    for (name, runs) in all() {
        for (index, run) in runs.runs.iter().enumerate() {
            let last = run.trace.tracks().len() - 1;
            let steps: BTreeSet<usize> = [0, 1, 2, 3, last / 3, last / 2, last - 1, last].into();
            let moments = steps.into_iter().map(Moment::Step).chain([Moment::Whole]);
            for moment in moments {
                for width in WIDTHS {
                    let place = format!("{name}, run {index}, {width:?}, {moment:?}");
                    let scene = draw(&run.trace, &view(width, moment))
                        .unwrap_or_else(|errors| panic!("{place}: {errors:?}"));
                    scenes.push((place, scene));
                }
            }
        }
    }
    scenes
}
