//! The occupancy stepper: how many loads a device's SM keeps in flight in several configurations.
//!
//! Job: multiply resident warps, items a thread and loads an item, and check what the author says comes
//! out. Input: [`OccupancyStepper`]. Output: one [`OccupancyTrace`]. Invariant: a total that the author
//! states equals the computed one, or there is no trace.
//!
//! Steps: 0 empty, 1 resident, 2 one request each, 3 all requests in flight, and 4 what was measured
//! where a measurement is given.

use super::error::{SimError, counted};
use super::frames::Tracks;
use super::grid::{self, Runs};
use super::{Kind, Ratio, Trace};

/// Most warp slots of a device.
pub const WARP_SLOTS_MAX: u32 = 64;
/// Most configurations side by side.
pub const CONFIGURATIONS_MAX: usize = 4;
/// Most loads that one thread keeps in flight.
pub const LOADS_PER_THREAD_MAX: u32 = 16;

/// The parameters of an occupancy stepper.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OccupancyStepper {
    /// The device whose warp slots are shown.
    pub device: Device,
    /// What is compared, in the author's order.
    pub configurations: Vec<Configuration>,
}

/// What the drawing says of a device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Device {
    /// Product name.
    pub name: String,
    /// Compute capability, as written.
    pub compute_capability: String,
    /// Resident warps that one SM can hold.
    pub max_warps: u32,
}

/// One way to keep loads in flight.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Configuration {
    /// Name in formulas.
    pub id: String,
    /// Name for a reader.
    pub label: String,
    /// Warps resident on the SM.
    pub resident_warps: u32,
    /// Independent items that each thread works on at once.
    pub items_per_thread: u32,
    /// Loads that one item needs before its first multiply.
    pub loads_per_item: u32,
    /// The total as the author states it.
    pub loads_in_flight: Option<u32>,
    /// What this configuration measured, if it was run.
    pub measured: Vec<Measured>,
}

/// One measured value, as it is printed in its table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Measured {
    /// What was measured, for instance the column's title.
    pub title: String,
    /// The value with the digits that were captured.
    pub value: String,
    /// Its unit; empty for a plain number.
    pub unit: String,
}

/// The configurations with what was computed for them.
#[derive(Debug, Clone, PartialEq)]
pub struct OccupancyTrace {
    /// The device whose warp slots are shown.
    pub device: Device,
    /// What is compared.
    pub configurations: Vec<Configuration>,
}

/// What one step shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OccupancyStep {
    /// Free slots only.
    Empty,
    /// The warps have their slots.
    Resident,
    /// Every resident warp has sent its first load.
    OneRequest,
    /// Every load before the first multiply is in flight.
    AllRequests,
    /// What the configurations measured.
    Measured,
}

impl OccupancyStepper {
    /// Computes the totals and compares them with those stated.
    pub fn run(&self) -> Result<Runs, Vec<SimError>> {
        let errors = self.check();
        if !errors.is_empty() {
            return Err(errors);
        }
        grid::run_all(Kind::OccupancyStepper, Vec::new(), &[], |_| {
            Ok(Trace::OccupancyStepper(OccupancyTrace {
                device: self.device.clone(),
                configurations: self.configurations.clone(),
            }))
        })
    }

    fn check(&self) -> Vec<SimError> {
        let mut errors = Vec::new();
        let max_warps = self.device.max_warps;
        if max_warps == 0 {
            let message = "with 0 warp slots no warp could ever be resident; the least is 1";
            return vec![SimError::invalid("device.max_warps", message)];
        }
        if max_warps > WARP_SLOTS_MAX {
            let message =
                format!("{max_warps} warp slots are more than the {WARP_SLOTS_MAX} that are drawn");
            errors.push(SimError::limit("device.max_warps", message));
        }
        if self.configurations.is_empty() {
            let message = "there is no configuration; give at least one";
            errors.push(SimError::invalid("configuration", message));
        }
        if self.configurations.len() > CONFIGURATIONS_MAX {
            let message = format!(
                "there are {} configurations; at most {CONFIGURATIONS_MAX} stand side by side",
                self.configurations.len()
            );
            errors.push(SimError::limit("configuration", message));
        }
        for (index, configuration) in self.configurations.iter().enumerate() {
            let earlier = self.configurations.iter().take(index);
            if earlier
                .into_iter()
                .any(|other| other.id == configuration.id)
            {
                let field = format!("configuration.{}.id", configuration.id);
                errors.push(SimError::invalid(
                    field,
                    "another configuration has this id",
                ));
            }
            errors.extend(configuration.check(max_warps));
        }
        errors
    }
}

impl Configuration {
    /// Loads that one thread sends before its first multiply.
    pub fn loads_per_thread(&self) -> u64 {
        u64::from(self.items_per_thread) * u64::from(self.loads_per_item)
    }

    /// Loads of all resident warps before the first multiply.
    pub fn total(&self) -> u128 {
        u128::from(self.loads_per_thread()) * u128::from(self.resident_warps)
    }

    /// The product in words: `32 warps × 1 item × 2 loads`.
    pub fn factors(&self) -> String {
        format!(
            "{} × {} × {}",
            counted(self.resident_warps, "warp"),
            counted(self.items_per_thread, "item"),
            counted(self.loads_per_item, "load")
        )
    }

    /// Loads in flight at `step`.
    pub fn in_flight(&self, step: OccupancyStep) -> u128 {
        match step {
            OccupancyStep::Empty | OccupancyStep::Resident => 0,
            OccupancyStep::OneRequest => u128::from(self.resident_warps),
            OccupancyStep::AllRequests | OccupancyStep::Measured => self.total(),
        }
    }

    fn check(&self, max_warps: u32) -> Vec<SimError> {
        let field = |name: &str| format!("configuration.{}.{name}", self.id);
        let mut errors = Vec::new();
        let factors = [
            ("resident_warps", self.resident_warps),
            ("items_per_thread", self.items_per_thread),
            ("loads_per_item", self.loads_per_item),
        ];
        for (name, _) in factors.iter().filter(|(_, value)| *value == 0) {
            errors.push(SimError::invalid(
                field(name),
                "this is 0, so nothing would be in flight; the least is 1",
            ));
        }
        if self.resident_warps > max_warps {
            let message = format!(
                "{} cannot be resident on an SM with {}",
                counted(self.resident_warps, "warp"),
                counted(max_warps, "warp slot")
            );
            errors.push(SimError::invalid(field("resident_warps"), message));
        }
        if self.loads_per_thread() > u64::from(LOADS_PER_THREAD_MAX) {
            let message = format!(
                "{} × {} are {} loads a thread; at most {LOADS_PER_THREAD_MAX} can be drawn",
                counted(self.items_per_thread, "item"),
                counted(self.loads_per_item, "load"),
                self.loads_per_thread()
            );
            errors.push(SimError::limit(field("items_per_thread"), message));
        }
        if let Some(stated) = self.loads_in_flight
            && u128::from(stated) != self.total()
        {
            let message = format!(
                "{} are {} loads in flight, and not {stated}",
                self.factors(),
                self.total()
            );
            errors.push(SimError::mismatch(field("loads_in_flight"), message));
        }
        errors
    }

    fn result(&self, name: &str, max_warps: u32) -> Option<Ratio> {
        match name {
            "resident_warps" => Some(Ratio::whole(self.resident_warps)),
            "items_per_thread" => Some(Ratio::whole(self.items_per_thread)),
            "loads_per_item" => Some(Ratio::whole(self.loads_per_item)),
            "loads_per_thread" => Some(Ratio::whole(self.loads_per_thread())),
            "loads_in_flight" => Some(Ratio::whole(i128::try_from(self.total()).ok()?)),
            "occupancy" => Ratio::new(self.resident_warps, max_warps),
            _ => None,
        }
    }
}

const RESULTS: [&str; 6] = [
    "resident_warps",
    "items_per_thread",
    "loads_per_item",
    "loads_per_thread",
    "loads_in_flight",
    "occupancy",
];

impl Measured {
    /// The value with its unit.
    pub fn words(&self) -> String {
        match self.unit.as_str() {
            "" => self.value.clone(),
            "%" => format!("{}%", self.value),
            unit => format!("{} {unit}", self.value),
        }
    }
}

impl OccupancyTrace {
    /// The steps in order; the last stands only where something was measured.
    pub fn steps(&self) -> Vec<OccupancyStep> {
        let mut steps = vec![
            OccupancyStep::Empty,
            OccupancyStep::Resident,
            OccupancyStep::OneRequest,
            OccupancyStep::AllRequests,
        ];
        if self
            .configurations
            .iter()
            .any(|configuration| !configuration.measured.is_empty())
        {
            steps.push(OccupancyStep::Measured);
        }
        steps
    }

    /// A result by its name: `many.loads_in_flight`, `many.occupancy` (a fraction of the warp slots),
    /// `device.max_warps`.
    pub fn result(&self, path: &str) -> Option<Ratio> {
        let (id, name) = path.split_once('.')?;
        let found = self
            .configurations
            .iter()
            .find(|configuration| configuration.id == id);
        match (found, path) {
            (Some(configuration), _) => configuration.result(name, self.device.max_warps),
            (None, "device.max_warps") => Some(Ratio::whole(self.device.max_warps)),
            (None, _) => None,
        }
    }

    /// Names that [`OccupancyTrace::result`] answers.
    pub fn result_names(&self) -> Vec<String> {
        let mut names = vec!["device.max_warps".to_owned()];
        for configuration in &self.configurations {
            names.extend(RESULTS.map(|name| format!("{}.{name}", configuration.id)));
        }
        names
    }

    /// The frames. Ids of texts: `many.sum` (the arithmetic so far) and `many.total` (loads in
    /// flight).
    pub(super) fn tracks(&self) -> Tracks {
        let steps = self.steps();
        let mut tracks = Tracks {
            say: steps.iter().map(|step| self.sentence(*step)).collect(),
            ..Tracks::default()
        };
        for configuration in &self.configurations {
            let [sum, total] = ["sum", "total"].map(|text| format!("{}.{text}", configuration.id));
            // What is measured changes neither.
            let steps = steps.iter().enumerate();
            for (index, step) in steps.filter(|(_, step)| **step != OccupancyStep::Measured) {
                tracks.push_text(&sum, index, configuration.sum(*step));
                let in_flight = configuration.in_flight(*step).to_string();
                tracks.push_text(&total, index, in_flight);
            }
        }
        tracks
    }

    fn sentence(&self, step: OccupancyStep) -> String {
        let slots = counted(self.device.max_warps, "warp slot");
        if step == OccupancyStep::Empty {
            return format!(
                "empty: each SM of a {} has {slots}, and none is filled",
                self.device.name
            );
        }
        let parts = self.configurations.iter().map(|configuration| {
            let said = match step {
                OccupancyStep::Empty | OccupancyStep::Resident => {
                    format!("{} of {slots} filled", configuration.resident_warps)
                }
                OccupancyStep::OneRequest => {
                    format!(
                        "{} in flight",
                        counted(configuration.resident_warps, "load")
                    )
                }
                OccupancyStep::AllRequests => {
                    format!("{} = {}", configuration.factors(), configuration.total())
                }
                OccupancyStep::Measured => configuration.measured_words(),
            };
            format!("{}: {said}", configuration.label)
        });
        let parts: Vec<_> = parts.collect();
        format!("{} – {}", step.title(), parts.join("; "))
    }
}

impl Configuration {
    /// The arithmetic that `step` has reached; empty before there is any.
    pub fn sum(&self, step: OccupancyStep) -> String {
        match step {
            OccupancyStep::Empty => String::new(),
            OccupancyStep::Resident => counted(self.resident_warps, "warp"),
            OccupancyStep::OneRequest => {
                format!(
                    "{} × 1 load = {}",
                    counted(self.resident_warps, "warp"),
                    self.in_flight(step)
                )
            }
            OccupancyStep::AllRequests | OccupancyStep::Measured => {
                format!("{} = {}", self.factors(), self.total())
            }
        }
    }

    fn measured_words(&self) -> String {
        // A unit says what was measured; a plain number or a share needs its title.
        let words = |measured: &Measured| match measured.unit.as_str() {
            "" => format!("{} {}", measured.words(), measured.title),
            "%" => format!("{} {}", measured.title, measured.words()),
            _ => measured.words(),
        };
        let words: Vec<_> = self.measured.iter().map(words).collect();
        if words.is_empty() {
            "not measured".to_owned()
        } else {
            words.join(", ")
        }
    }
}

impl OccupancyStep {
    /// What the step is called.
    pub fn title(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Resident => "resident",
            Self::OneRequest => "one request each",
            Self::AllRequests => "all requests in flight",
            Self::Measured => "measured",
        }
    }
}
