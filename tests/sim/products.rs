//! Tile reuse and the systolic array against plain recomputation.

use super::{A, B, array, course_operands, product, whole};
use countersign::sim::{
    Frames, Matrix, Operands, Ratio, SystolicArray, SystolicTrace, TileReuse, Trace,
};

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
        for beyond in [format!("first.r{edge}.c0"), format!("last.r0.c{edge}")] {
            assert_eq!(runs.runs[0].trace.result(&beyond), None);
        }
        for (row, column) in (0..edge * edge).map(|index| (index / edge, index % edge)) {
            let sum: i64 = (0..edge).map(|k| a[row][k] * b[k][column]).sum();
            assert_eq!(trace.product[row][column], sum);
            // A cell multiplies in exactly the cycles in which the wave passes it.
            for cycle in 0..trace.cycles() {
                let passes = (row + column..row + column + edge).contains(&cycle);
                assert_eq!(trace.state(cycle + 1, row, column) == 'm', passes);
            }
            let [first, last] = ["first", "last"].map(|which| {
                let result = runs.runs[0]
                    .trace
                    .result(&format!("{which}.r{row}.c{column}"));
                usize::try_from(result.unwrap().numerator).unwrap()
            });
            assert_eq!((first, last), (row + column, row + column + edge - 1));
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
