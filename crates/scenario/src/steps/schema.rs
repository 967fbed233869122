//! The schema of the steps.

use schedscope_engine::named::Named;
use serde_json::json;

use super::words::{CHOICE_CHARS, CHOICES, COUNT, HEROES, MEANINGS, Moment, SIDES};
use crate::units::TIME_PATTERN;

/// The steps as editors know them.
pub(crate) fn schema() -> serde_json::Value {
    let time = json!({ "type": "string", "pattern": TIME_PATTERN });
    let side = json!({ "enum": SIDES });
    let moments: Vec<&str> = Moment::ALL.iter().map(|moment| moment.name()).collect();
    let instants = json!({ "type": "object", "additionalProperties": false,
        "required": ["from", "to"], "properties": { "from": time, "to": time } });
    let around = json!({
        "type": "object", "additionalProperties": false, "required": ["moment", "before", "after"],
        "properties": {
            "moment": { "enum": moments }, "before": time, "after": time, "side": side,
            "lock": { "type": "string" }, "task": { "type": "string" },
            "group": { "type": "string" },
            "cpu": { "type": "integer", "minimum": 0 }, "nth": { "type": "integer", "minimum": 1 },
        },
    });
    let named = |key: &str, what: &str| {
        let meant =
            MEANINGS.iter().filter(|(of, _)| *of == key).map(|(_, word)| json!({ "enum": [word] }));
        json!({ "description": what,
            "anyOf": meant.chain([json!({ "type": "string" })]).collect::<Vec<_>>() })
    };
    let focus = json!({
        "lanes": { "type": "string", "description": "CPUs that stand out: \"0-3,8\"." },
        "lock": named("lock", "A lock, such as \"rq 0\", or the one with the deepest queue in \
            view: it is in the lock lane, and the CPUs that hold it or wait stand out."),
        "group": named("group", "A control group, or the one throttled longest in view: the CPUs \
            that run it or keep it throttled stand out."),
        "wakeup": named("wakeup", "A task or a kind of task, or any of them: the worst wake-up in \
            view is selected."),
    });
    let slow = json!({ "type": "array", "maxItems": 4,
        "items": { "type": "array", "minItems": 2, "maxItems": 2, "items": time },
        "description": "Stretches that play slowly, from the left edge of the view." });
    let choices = json!({ "type": "array", "minItems": CHOICES.0, "maxItems": CHOICES.1,
        "uniqueItems": true,
        "items": { "type": "string", "minLength": 1, "maxLength": CHOICE_CHARS },
        "description": "Answers to the bet, first what the runs show; the page sorts them." });
    json!({
        "type": "array", "minItems": COUNT.0, "maxItems": COUNT.1, "description": "What the page \
            shows first and then, step by step; the first is the opening view.",
        "items": {
            "type": "object", "additionalProperties": false, "required": ["caption", "view"],
            "properties": {
                "caption": { "type": "string", "description": "One sentence of at most 20 words; \
                    {METRIC a} is filled in from side A's report, {KNOB} from its knobs." },
                "view": { "anyOf": [instants, around] },
                "focus": { "type": "object", "additionalProperties": false, "properties": focus },
                "question": { "type": "string", "description": "What the viewer is offered before \
                    it: a few words." },
                "side": side, "speed": time, "playhead": time, "slow": slow,
                "answer": { "type": "string", "pattern": TIME_PATTERN, "description": "Where \
                    playing stops, from the left edge of the view: its picture is the answer." },
                "hero": { "enum": HEROES, "description": "The track or mark that tells the step, \
                    where its moment and focus do not choose one." },
                "set": { "type": "object", "description": "Knobs this step flips on both sides." },
                "bet": { "type": "string", "description": "What the audience is asked before." },
                "choices": choices,
                "note": { "type": "string", "description": "For the speaker." },
                "same": { "type": "boolean", "description": "A and B look the same here: no \
                    difference is the answer." },
            },
        },
    })
}
