//! Operands: small matrices of whole numbers.
//!
//! Job: hold rows of one length. Input: rows as an author writes them. Output: values by row and
//! column. Invariant: at least one row and one column, all rows equally long.

use super::error::{SimError, counted};

/// Most rows or columns of an operand.
pub const MATRIX_EDGE_MAX: usize = 256;

/// A matrix of whole numbers, by rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Matrix {
    columns: usize,
    values: Vec<i64>,
}

impl Matrix {
    /// A matrix from its rows; `field` names it in the error.
    pub fn new(field: &str, rows: &[Vec<i64>]) -> Result<Self, SimError> {
        let columns = rows.first().map_or(0, Vec::len);
        if columns == 0 {
            return Err(SimError::invalid(
                field,
                "the matrix has no values; give it at least one row of at least one number",
            ));
        }
        if rows.len() > MATRIX_EDGE_MAX || columns > MATRIX_EDGE_MAX {
            let message = format!(
                "the matrix has {} and {}; at most {MATRIX_EDGE_MAX} of each are taken",
                counted(rows.len() as u64, "row"),
                counted(columns as u64, "column")
            );
            return Err(SimError::limit(field, message));
        }
        if let Some((index, row)) = rows
            .iter()
            .enumerate()
            .find(|(_, row)| row.len() != columns)
        {
            let message = format!(
                "row {index} has {}, and row 0 has {columns}; all rows of a matrix are equally long",
                counted(row.len() as u64, "value")
            );
            return Err(SimError::invalid(field, message));
        }
        Ok(Self {
            columns,
            values: rows.concat(),
        })
    }

    /// The same columns, `times` over, side by side.
    pub fn repeat_columns(&self, field: &str, times: usize) -> Result<Self, SimError> {
        let rows: Vec<Vec<i64>> = self
            .values
            .chunks(self.columns)
            .map(|row| row.repeat(times.min(MATRIX_EDGE_MAX + 1)))
            .collect();
        Self::new(field, &rows)
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.values.len() / self.columns
    }

    /// How many columns there are.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The value in `row` and `column`, both counted from 0.
    pub fn get(&self, row: usize, column: usize) -> Option<i64> {
        if column >= self.columns {
            return None;
        }
        self.values.get(row * self.columns + column).copied()
    }
}

/// `accumulator + left × right`, or an error that names what does not fit.
pub(super) fn multiply_add(accumulator: i64, left: i64, right: i64) -> Result<i64, SimError> {
    left.checked_mul(right)
        .and_then(|product| accumulator.checked_add(product))
        .ok_or_else(|| {
            SimError::limit(
                "operands",
                format!(
                    "{accumulator} + {left} × {right} does not fit in 64 bits; use smaller numbers"
                ),
            )
        })
}

/// Checks that `A × B` is defined.
pub(super) fn check_product(a: &Matrix, b: &Matrix) -> Result<(), SimError> {
    if a.columns() == b.rows() {
        return Ok(());
    }
    let message = format!(
        "A has {} and B has {}; a product needs as many rows of B as columns of A",
        counted(a.columns() as u64, "column"),
        counted(b.rows() as u64, "row")
    );
    Err(SimError::invalid("operands.b", message))
}
