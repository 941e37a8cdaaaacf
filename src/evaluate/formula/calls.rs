//! Functions, models and cells of matrices: what follows a name with a bracket.

use super::lexer::{Fault, Placed, Token};
use super::parser::Parser;
use super::{Formula, Function, Index, Name, Part};
use crate::diagnostic::nearest;
use crate::model::number::Exact;

impl Parser<'_> {
    /// `max(…)` or `loom(residents: 4).cycles`; the next token is the parenthesis.
    pub(super) fn call(&mut self, name: Name) -> Result<Formula, Fault> {
        self.at += 1;
        let is_model = matches!(
            (self.tokens.get(self.at), self.tokens.get(self.at + 1)),
            (
                Some(Placed {
                    token: Token::Word(_),
                    ..
                }),
                Some(Placed {
                    token: Token::Sign(':'),
                    ..
                })
            )
        );
        if is_model {
            return self.model(name);
        }
        let mut arguments = Vec::new();
        if self.peek_sign() != Some(')') {
            arguments.push(self.sum()?);
            while self.peek_sign() == Some(',') {
                self.at += 1;
                arguments.push(self.sum()?);
            }
        }
        self.expect(')', "A call")?;
        let range = name.range.start..self.last_end();
        if let Some(function) = Function::named(&name.text) {
            let part = Part::Call(function, arguments);
            return Ok(Formula { part, range });
        }
        if let (true, Some(result)) = (arguments.is_empty(), self.result_path()) {
            let range = name.range.start..result.range.end;
            let part = Part::Model(name, Vec::new(), result);
            return Ok(Formula { part, range });
        }
        let known = Function::ALL.map(|(name, _)| name);
        let help = nearest(&name.text, known).map_or_else(
            || {
                format!(
                    "The functions: {}. A model's settings are named: `loom(latency: 4).cycles`.",
                    known.join(", ")
                )
            },
            |near| format!("Did you mean `{near}`?"),
        );
        Err(Fault::new(name.range, format!("there is no function `{}`", name.text)).help(help))
    }

    fn model(&mut self, name: Name) -> Result<Formula, Fault> {
        let mut settings: Vec<(Name, Exact)> = Vec::new();
        loop {
            let setting = self.setting_name()?;
            if settings.iter().any(|(other, _)| other.text == setting.text) {
                return Err(Fault::new(
                    setting.range,
                    format!("`{}` is set twice", setting.text),
                ));
            }
            self.expect(':', "The name of a setting")?;
            let value = self.signed()?;
            let number = match value.part {
                Part::Number(number) => number,
                Part::Negate(inner) if matches!(inner.part, Part::Number(_)) => match inner.part {
                    Part::Number(number) => number.negate(),
                    _ => Exact::whole(0),
                },
                _ => {
                    return Err(Fault::new(value.range, "a setting must be a number")
                        .help("Write the number itself: `latency: 4`."));
                }
            };
            settings.push((setting, number));
            if self.peek_sign() != Some(',') {
                break;
            }
            self.at += 1;
        }
        self.expect(')', "A model's settings")?;
        let Some(result) = self.result_path() else {
            return Err(Fault::new(self.here(), "a result of the model is missing")
                .help("Name it after a point: `loom(residents: 4).cycles`."));
        };
        let range = name.range.start..result.range.end;
        let part = Part::Model(name, settings, result);
        Ok(Formula { part, range })
    }

    fn setting_name(&mut self) -> Result<Name, Fault> {
        let range = self.here();
        match self.next().map(|placed| &placed.token) {
            Some(Token::Word(word)) => Ok(Name {
                text: word.clone(),
                range,
            }),
            _ => Err(Fault::new(range, "the name of a setting is missing")
                .help("Settings are named: `residents: 4, latency: 12`.")),
        }
    }

    /// `.cycles` after a closing parenthesis.
    fn result_path(&mut self) -> Option<Name> {
        let placed = self.peek()?;
        let Token::Word(word) = &placed.token else {
            return None;
        };
        let text = word.strip_prefix('.').filter(|path| !path.is_empty())?;
        self.at += 1;
        Some(Name {
            text: text.to_owned(),
            range: placed.range.start + 1..placed.range.end,
        })
    }

    /// `a[0,2]`; the next token is the bracket.
    pub(super) fn cells(&mut self, name: Name) -> Result<Formula, Fault> {
        self.at += 1;
        let row = self.index()?;
        self.expect(',', "The row of a matrix's cell")?;
        let column = self.index()?;
        self.expect(']', "A matrix's cell")?;
        let range = name.range.start..self.last_end();
        let part = Part::Cells(name, row, column);
        Ok(Formula { part, range })
    }

    fn index(&mut self) -> Result<Index, Fault> {
        let range = self.here();
        let index = match self.next().map(|placed| &placed.token) {
            Some(Token::Sign('*')) => Some(Index::All),
            Some(Token::Number(number)) => number
                .value
                .to_whole()
                .and_then(|whole| usize::try_from(whole).ok())
                .map(|whole| Index::At(whole, range.clone())),
            _ => None,
        };
        index.ok_or_else(|| {
            Fault::new(range, "an index must be a whole number or `*`")
                .help("Rows and columns count from 0; `*` is all of them: `a[0,*]`.")
        })
    }
}
