//! The player: what it shows is the trace, whatever it is steered with.

use crate::chromium::{Chromium, with_browser};
use crate::course::{Course, Stepped, course};
use crate::page::{Key, Page};
use crate::server::Server;
use countersign::draw::{Form, Moment, View, Width, draw};
use countersign::sim::{Frames, Run, Tracks};
use roxmltree::{Document, Node};
use serde_json::{Value, json};

/// In a page: what it shows of the drawing, one line an element that a step can change, and below it
/// the sentence and the warps' cards.
const SEEN: &str = r#"
    window.figure = (name) => document.querySelector(`[data-model="${name}"]`);
    window.seen = (figure) => {
      const now = (element, name) => element.getAttribute(name) ?? "-";
      const own = ["data-cs", "data-from", "data-cs-text", "data-cs-word"];
      const shapes = [...figure.querySelectorAll(".timeline svg *")]
        .filter((element) => own.some((name) => element.hasAttribute(name)))
        .map((element) => [now(element, "data-cs"), now(element, "data-state"), now(element, "data-from"), now(element, "data-when"),
          element.localName === "text" ? element.textContent : ""].join("|"));
      const cards = [...figure.querySelectorAll(".warp")].map((card) => [card.dataset.cs, card.dataset.state,
          card.querySelector(".warp-state").textContent, ...[...card.querySelectorAll(".lane")].map((lane) => lane.textContent)].join("|"));
      return [...shapes, figure.querySelector(".player-line").textContent, ...cards].join("\n");
    };
    window.idle = (figure) => !figure.querySelector(".timeline").hasAttribute("aria-busy");
"#;

/// The same from the trace: the picture of one step, its sentence, and the states it counted.
fn expected(run: &Run, frames: &Frames, tracks: &Tracks, width: Width, step: usize) -> String {
    let view = View {
        width,
        moment: Moment::Step(step),
        title: "title",
        description: "description",
    };
    let svg = draw(&run.trace, &view).unwrap().to_svg(Form::File);
    let document = Document::parse(&svg).unwrap();
    let is_text = |node: Node<'_, '_>| node.tag_name().name() == "text";
    let own = ["data-cs", "data-from", "data-cs-text", "data-cs-word"];
    let shapes = document
        .descendants()
        .filter(|node| own.iter().any(|name| node.has_attribute(*name)));
    let mut lines: Vec<_> = shapes
        .map(|node| {
            let attribute = |name| node.attribute(name).unwrap_or("-");
            let text = if is_text(node) { node.text() } else { None };
            [
                attribute("data-cs"),
                attribute("data-state"),
                attribute("data-from"),
                attribute("data-when"),
                text.unwrap_or(""),
            ]
            .join("|")
        })
        .collect();
    let (first, rest) = tracks.say[step].split_at(1);
    lines.push(format!("{}{rest}", first.to_uppercase()));
    if frames.kind == "warp-scheduler" {
        for warp in 0..tracks.states.len() {
            let id = format!("w{warp}");
            let (state, words) = frames.codes[&tracks.state(&id, step).unwrap()];
            let sums = (0..4).filter_map(|lane| tracks.text(&format!("{id}.lane{lane}"), step));
            let card = [id.as_str(), state, words].into_iter().chain(sums);
            lines.push(card.collect::<Vec<_>>().join("|"));
        }
    }
    lines.join("\n")
}

fn open<'b>(browser: &'b Chromium, course: &Course, figure: &Stepped<'_>, hash: &str) -> Page<'b> {
    let page = Page::new(browser);
    go(&page, course, figure, hash);
    page
}

fn go(page: &Page<'_>, course: &Course, figure: &Stepped<'_>, hash: &str) {
    page.open(&course.server.at(&format!("{}{hash}", figure.page)));
    let name = &figure.name;
    page.evaluate(&format!("(() => {{ {SEEN} }})()"));
    page.evaluate(&format!("figure('{name}').scrollIntoView()"));
    page.wait(&format!(
        "idle(figure('{name}')) && 'open' in figure('{name}').dataset"
    ));
}

fn line(page: &Page<'_>, name: &str) -> String {
    let line = page.evaluate(&format!(
        "figure('{name}').querySelector('.player-line').textContent"
    ));
    line.as_str().unwrap().to_owned()
}

/// Waits for the sentence that begins so; a step shows at once, a drawing may have to be fetched.
fn wait_for_line(page: &Page<'_>, name: &str, begin: &str) {
    page.wait(&format!(
        "figure('{name}').querySelector('.player-line').textContent.startsWith('{begin}')"
    ));
}

fn no_problems(page: &Page<'_>) {
    assert_eq!(page.problems(), Vec::<String>::new());
}

/// Steps through every run with the button and compares each step with the trace.
fn compare_all(page: &Page<'_>, figure: &Stepped<'_>, width: Width) {
    let frames = Frames::new(figure.runs);
    let name = &figure.name;
    for run in &figure.runs.runs {
        let choices = figure.runs.axes.iter().zip(&run.parameters);
        for (axis, (parameter, value)) in choices {
            if axis.values.len() > 1 {
                page.evaluate(&format!(
                    "figure('{name}').querySelector('[name=\"{name}-{parameter}\"][value=\"{value}\"]').click()"
                ));
            }
        }
        page.wait(&format!("idle(figure('{name}'))"));
        let shown = page.evaluate(&format!(
            "(() => {{ const button = (name) => figure('{name}').querySelector(`[data-do=${{name}}]`);
               return new Promise((done) => {{
                 const all = [];
                 button('first').click();
                 const step = () => {{
                   all.push(seen(figure('{name}')));
                   if (button('next').getAttribute('aria-disabled')) return done(all);
                   button('next').click();
                   setTimeout(step);
                 }};
                 setTimeout(step);
               }}); }})()"
        ));
        let tracks = run.trace.tracks();
        let shown = shown.as_array().unwrap();
        assert_eq!(shown.len(), tracks.len(), "{name} {:?}", run.parameters);
        for (step, shown) in shown.iter().enumerate() {
            assert_eq!(
                shown.as_str().unwrap(),
                expected(run, &frames, &tracks, width, step),
                "{name} {:?} at step {step}",
                run.parameters
            );
        }
    }
}

#[test]
fn every_step_of_every_run_is_shown_as_it_was_simulated() {
    with_browser(|browser| {
        let figures = course().stepped();
        assert!(figures.len() >= 4, "the course has a figure of each kind");
        for figure in &figures {
            let page = open(browser, course(), figure, "");
            compare_all(&page, figure, Width::Wide);
            no_problems(&page);
        }
    });
}

#[test]
fn on_a_telephone_the_narrow_drawing_shows_the_same() {
    with_browser(|browser| {
        for figure in &course().stepped() {
            let page = Page::new(browser);
            page.window(360, 740);
            go(&page, course(), figure, "");
            let name = &figure.name;
            page.wait(&format!(
                "figure('{name}').querySelector('.timeline svg').getAttribute('width') === '328'"
            ));
            if figure.runs.kind.name() != "tile-reuse" {
                compare_all(&page, figure, Width::Narrow);
            }
            let over = page.evaluate("document.documentElement.scrollWidth - innerWidth");
            assert!(over.as_i64().unwrap() <= 0, "{name} is wider than 360");
            let small = page.evaluate(&format!(
                "[...figure('{name}').querySelectorAll('button, .player fieldset label, .player-range input')]
                   .filter((control) => control.getBoundingClientRect().height < 44).length"
            ));
            assert_eq!(small, json!(0), "{name} has targets under 44 px");
            no_problems(&page);
        }
    });
}

#[test]
fn the_mouse_steps_plays_and_chooses() {
    with_browser(|browser| {
        let figure = course().figure("loom");
        let page = open(browser, course(), &figure, "");
        assert!(line(&page, "loom").starts_with("Before cycle 0"));
        let button = |action: &str| format!("#figure-loom [data-do={action}]");
        page.click(&button("next"));
        page.click(&button("next"));
        wait_for_line(&page, "loom", "Cycle 1:");
        page.click(&button("back"));
        wait_for_line(&page, "loom", "Cycle 0:");
        page.click(&button("play"));
        wait_for_line(&page, "loom", "Cycle 3:");
        page.click(&button("play"));
        page.wait("figure('loom').querySelector('[data-do=play]').textContent === 'Play'");
        // A result is told when its run has been seen, and not before.
        let cycles = "figure('loom').querySelector('tr[data-run=\"0\"] [data-result]').textContent";
        assert_eq!(page.evaluate(cycles), json!("–"));
        page.click(&button("last"));
        wait_for_line(&page, "loom", "After cycle 95:");
        assert_eq!(page.evaluate(cycles), json!("96"));
        page.click("#figure-loom [name=loom-residents][value='4']");
        wait_for_line(&page, "loom", "Before cycle 0: 4 of 4 warps are resident");
        let other = "figure('loom').querySelector('tr[data-run=\"6\"] [data-result]').textContent";
        assert_eq!(page.evaluate(other), json!("–"));
        page.click(&button("reveal"));
        assert_eq!(page.evaluate(other), json!("48"));
        page.click(&button("last"));
        page.click(&button("first"));
        wait_for_line(&page, "loom", "Before cycle 0");
        no_problems(&page);
    });
}

#[test]
fn touch_steps_too() {
    with_browser(|browser| {
        let figure = course().figure("loom");
        let page = Page::new(browser);
        page.window(360, 740);
        page.call(
            "Emulation.setTouchEmulationEnabled",
            &json!({"enabled": true, "maxTouchPoints": 1}),
        );
        go(&page, course(), &figure, "");
        page.tap("#figure-loom [data-do=next]");
        wait_for_line(&page, "loom", "Cycle 0:");
        no_problems(&page);
    });
}

#[test]
fn the_keyboard_does_it_all_and_keeps_its_place() {
    with_browser(|browser| {
        let figure = course().figure("loom");
        let page = open(browser, course(), &figure, "");
        let focus =
            || page.evaluate("document.activeElement.dataset.do ?? document.activeElement.type");
        // Keys elsewhere on the page step nothing.
        page.press(Key::Right);
        page.press(Key::End);
        page.evaluate("figure('loom').querySelector('[data-do=next]').focus()");
        assert!(line(&page, "loom").starts_with("Before cycle 0"));
        page.press(Key::Enter);
        page.press(Key::Space);
        wait_for_line(&page, "loom", "Cycle 1:");
        page.press(Key::Right);
        wait_for_line(&page, "loom", "Cycle 2:");
        page.press(Key::Left);
        wait_for_line(&page, "loom", "Cycle 1:");
        page.press(Key::End);
        wait_for_line(&page, "loom", "After cycle 95:");
        // The button can do nothing now; it says so, does nothing, and keeps the focus.
        page.press(Key::Enter);
        assert_eq!(focus(), json!("next"));
        let disabled = "document.activeElement.getAttribute('aria-disabled')";
        assert_eq!(page.evaluate(disabled), json!("true"));
        page.press(Key::Home);
        wait_for_line(&page, "loom", "Before cycle 0");
        assert_eq!(page.evaluate(disabled), Value::Null);
        page.press(Key::Tab);
        page.press(Key::Tab);
        assert_eq!(focus(), json!("range"));
        page.press(Key::Right);
        wait_for_line(&page, "loom", "Cycle 0:");
        let spoken = page.evaluate("document.activeElement.getAttribute('aria-valuetext')");
        assert_eq!(spoken, json!("cycle 0"));
        page.press(Key::End);
        wait_for_line(&page, "loom", "After cycle 95:");
        page.evaluate("figure('loom').querySelector('[name=loom-latency]:checked').focus()");
        page.press(Key::Right);
        wait_for_line(&page, "loom", "Before cycle 0");
        assert_eq!(focus(), json!("radio"));
        assert_eq!(page.evaluate("document.activeElement.value"), json!("12"));
        no_problems(&page);
    });
}

#[test]
fn without_scripts_the_whole_run_and_every_result_stand_there() {
    with_browser(|browser| {
        for figure in &course().stepped() {
            let page = Page::new(browser);
            page.without_scripts();
            page.open(&course().server.at(&figure.page));
            let name = &figure.name;
            let facts = page.evaluate(&format!(
                "(() => {{ const figure = document.querySelector('[data-model=\"{name}\"]');
                   const there = (element) => element.getClientRects().length > 0 && getComputedStyle(element).visibility === 'visible';
                   return {{
                     controls: [...figure.querySelectorAll('button, input, select, output, .player')].filter(there).length,
                     drawing: there(figure.querySelector('.timeline svg')),
                     hidden: [...figure.querySelectorAll('.timeline svg [data-from]')].filter((shape) => !there(shape)).length,
                     rows: [...figure.querySelectorAll('.runs tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent)),
                     others: figure.querySelectorAll('.other-runs img[alt]').length,
                   }}; }})()"
            ));
            assert_eq!(facts["controls"], json!(0), "{name}");
            assert_eq!(facts["drawing"], json!(true), "{name}");
            assert_eq!(facts["hidden"], json!(0), "{name}");
            let table = figure.runs.table();
            if !table.headings.is_empty() {
                assert_eq!(facts["rows"], json!(table.rows), "{name}");
            }
            assert_eq!(facts["others"], json!(figure.runs.runs.len() - 1), "{name}");
        }
    });
}

#[test]
fn an_address_opens_the_same_step_again() {
    with_browser(|browser| {
        let figure = course().figure("loom");
        let hash = "#loom=residents-4,latency-12,step-33";
        let page = open(browser, course(), &figure, hash);
        wait_for_line(&page, "loom", "Cycle 32:");
        let chosen = "['residents', 'latency'].map((axis) => document.querySelector(`[name=loom-${axis}]:checked`).value).join()";
        assert_eq!(page.evaluate(chosen), json!("4,12"));
        let top = page.evaluate("figure('loom').getBoundingClientRect().top");
        assert!(
            top.as_f64().unwrap() < 200.0,
            "the page stands at the figure"
        );
        page.click("#figure-loom [data-do=next]");
        page.wait("location.hash.endsWith('step-34')");
        let here = page.evaluate("location.href").as_str().unwrap().to_owned();
        page.reload();
        page.evaluate(&format!("(() => {{ {SEEN} }})()"));
        wait_for_line(&page, "loom", "Cycle 33:");
        // Away, and back.
        page.evaluate("void (location.href = '../')");
        page.wait("location.hash === '' && document.readyState === 'complete'");
        page.evaluate("history.back()");
        page.wait(&format!("location.href === {}", json!(here)));
        page.evaluate(&format!("(() => {{ {SEEN} }})()"));
        wait_for_line(&page, "loom", "Cycle 33:");
        // What an address says wrongly is left out.
        go(&page, course(), &figure, "#loom=residents-9,step-9999,%");
        wait_for_line(&page, "loom", "After cycle 95:");
        no_problems(&page);
    });
}

const TWO: &str = "---\ntitle: Two models?\nshort: Two models on a page.\nmodels:\n  \
    loom: {kind: warp-scheduler, warps: 2, steps: 2, residents: [1, 2], latency: [3], start: {residents: 1}, alt: A timeline of two warps, caption: One.}\n  \
    loom-2: {kind: warp-scheduler, warps: 2, steps: 2, residents: [1, 2], latency: [3], start: {residents: 1}, alt: Another timeline of two warps, caption: Two.}\n\
    ---\nText.\n\n![](model:loom)\n\n![](model:loom-2)\n";

#[test]
fn two_players_on_a_page_do_not_mix() {
    with_browser(|browser| {
        let site = "title = \"Two\"\nbase_url = \"https://glossary.example/sub/\"\n";
        let course = Course::small(&[("site.toml", site), ("content/lessons/two.md", TWO)]);
        let figure = course.figure("loom-2");
        let page = open(
            browser,
            &course,
            &figure,
            "#loom=residents-2,step-2&loom-2=residents-1,step-4",
        );
        wait_for_line(&page, "loom", "Cycle 1:");
        wait_for_line(&page, "loom-2", "Cycle 3:");
        page.click("#figure-loom [data-do=next]");
        wait_for_line(&page, "loom", "Cycle 2:");
        wait_for_line(&page, "loom-2", "Cycle 3:");
        page.wait("location.hash === '#loom=residents-2,step-3&loom-2=residents-1,step-4'");
        no_problems(&page);
    });
}

#[test]
fn it_speaks_once_and_never_while_it_plays() {
    with_browser(|browser| {
        let figure = course().figure("loom");
        let page = open(browser, course(), &figure, "");
        page.evaluate(
            "window.said = []; new MutationObserver(() => said.push(figure('loom').querySelector('.player-said').textContent))
               .observe(figure('loom').querySelector('.player-said'), { childList: true, characterData: true, subtree: true })",
        );
        // Dragging: many steps, one sentence.
        page.evaluate(
            "(() => { const range = figure('loom').querySelector('[type=range]');
               for (let step = 1; step <= 30; step += 1) { range.value = step; range.dispatchEvent(new Event('input', { bubbles: true })); } })()",
        );
        page.wait("said.length > 0");
        let said = page.evaluate("said");
        assert_eq!(said.as_array().unwrap().len(), 1, "{said}");
        assert!(said[0].as_str().unwrap().starts_with("Cycle 29:"), "{said}");
        page.click("#figure-loom [data-do=play]");
        wait_for_line(&page, "loom", "Cycle 34:");
        assert_eq!(page.evaluate("said.length"), json!(1));
        page.click("#figure-loom [data-do=play]");
        page.wait("said.length === 2");
        no_problems(&page);
    });
}

#[test]
fn dark_and_reduced_motion_are_honoured() {
    with_browser(|browser| {
        let figure = course().figure("loom");
        let page = Page::new(browser);
        page.media(
            "",
            &[
                ("prefers-color-scheme", "dark"),
                ("prefers-reduced-motion", "reduce"),
            ],
        );
        go(&page, course(), &figure, "");
        let colours = page.evaluate(
            "['.timeline text.cs-muted', '.timeline .cs-load', '.player-line'].map((selector) => {
               const style = getComputedStyle(figure('loom').querySelector(selector));
               return selector.includes('timeline') ? style.fill : style.color; })",
        );
        for colour in colours.as_array().unwrap() {
            let parts = colour.as_str().unwrap();
            let sum: u32 = parts
                .split(|letter: char| !letter.is_ascii_digit())
                .filter_map(|part| part.parse::<u32>().ok())
                .sum();
            assert!(sum > 380, "{parts} is too dark on a dark ground");
        }
        page.evaluate("(() => { const real = setInterval; window.setInterval = (act, wait) => { window.pace = wait; return real(act, wait); }; })()");
        page.click("#figure-loom [data-do=play]");
        page.wait("window.pace");
        assert_eq!(page.evaluate("pace"), json!(1000));
        assert_eq!(page.evaluate("document.getAnimations().length"), json!(0));
        page.click("#figure-loom [data-do=play]");
        no_problems(&page);
    });
}

#[test]
fn the_current_cycle_stays_in_view_and_the_page_stays_put() {
    with_browser(|browser| {
        let figure = course().figure("loom");
        let page = Page::new(browser);
        page.window(360, 740);
        go(
            &page,
            course(),
            &figure,
            "#loom=residents-1,latency-12,step-1",
        );
        wait_for_line(&page, "loom", "Cycle 0:");
        let lost = page.evaluate(
            "(() => { const own = figure('loom'), box = own.querySelector('.timeline'), next = own.querySelector('[data-do=next]');
               next.scrollIntoView({ block: 'start' });
               const top = scrollY;
               return new Promise((done) => {
                 const lost = [];
                 const step = () => {
                   const now = [...box.querySelectorAll('[data-when=now]')].pop();
                   const inner = now?.getBoundingClientRect(), outer = box.getBoundingClientRect();
                   if (now && (inner.top < outer.top || inner.bottom > outer.bottom || inner.left < outer.left || inner.right > outer.right)) lost.push(own.querySelector('.player-line').textContent);
                   if (scrollY !== top) lost.push('the page moved');
                   if (Number(own.querySelector('[type=range]').value) >= 224) return done(lost);
                   next.click();
                   setTimeout(step);
                 };
                 step();
               }); })()",
        );
        assert_eq!(lost, json!([]));
        no_problems(&page);
    });
}

#[test]
fn paper_gets_the_whole_run_and_every_result() {
    with_browser(|browser| {
        let figure = course().figure("loom");
        let page = open(
            browser,
            course(),
            &figure,
            "#loom=residents-1,latency-4,step-3",
        );
        wait_for_line(&page, "loom", "Cycle 2:");
        page.media("print", &[]);
        page.evaluate("dispatchEvent(new Event('beforeprint'))");
        let printed = page.evaluate(
            "({ hidden: figure('loom').querySelectorAll('[data-when=before]').length,
                cell: figure('loom').querySelector('tr[data-run=\"6\"] [data-result]').textContent,
                controls: [...figure('loom').querySelectorAll('.player, .player-reveal, .other-runs')].filter((part) => part.getClientRects().length).length })",
        );
        assert_eq!(printed, json!({"hidden": 0, "cell": "48", "controls": 0}));
        page.evaluate("dispatchEvent(new Event('afterprint'))");
        page.media("", &[]);
        wait_for_line(&page, "loom", "Cycle 2:");
        no_problems(&page);
    });
}

#[test]
fn without_its_data_the_picture_and_the_table_stay() {
    with_browser(|browser| {
        let figure = course().figure("loom");
        let mut files = course().files.clone();
        files.retain(|path, _| !path.ends_with("loom-frames.json"));
        let server = Server::start(files);
        let page = Page::new(browser);
        page.open(&server.at(&figure.page));
        page.evaluate(&format!("(() => {{ {SEEN} }})()"));
        page.evaluate("figure('loom').scrollIntoView()");
        wait_for_line(&page, "loom", "The steps could not be loaded");
        let cell = "figure('loom').querySelector('tr[data-run=\"0\"] [data-result]').textContent";
        assert_eq!(page.evaluate(cell), json!("96"));
        let buttons = "[...figure('loom').querySelectorAll('button')].filter((button) => button.getClientRects().length).length";
        assert_eq!(page.evaluate(buttons), json!(0));
    });
}
