// Items for jsPsych 8 (needs @jspsych/plugin-html-keyboard-response). Load this file after jsPsych
// and the plugin, then: jsPsych.run([genvpTimeline(jsPsych)]).
const genvpItems = /* ITEMS */;

function genvpTimeline(jsPsych) {
  const of = (name) => jsPsych.timelineVariable(name);
  return {
    timeline: [
      {
        type: jsPsychHtmlKeyboardResponse,
        stimulus: of("stimulus"),
        choices: of("choices"),
        prompt: "<p>Which one completes the pattern? Press its number.</p>",
        data: {
          item: of("item"),
          set: of("set"),
          kind: of("kind"),
          seed: of("seed"),
          index: of("index"),
          rules: of("rules"),
          correct_response: of("correct_response"),
          broken_rules: of("broken_rules"),
        },
        // Pictures would make most of the results; item, seed and rules say which they were.
        save_trial_parameters: { stimulus: false },
        on_finish: (data) => {
          data.correct = data.response === data.correct_response;
          const chosen = Number(data.response) - 1;
          data.broken_rules = data.broken_rules[chosen] ?? [];
        },
      },
    ],
    timeline_variables: genvpItems,
  };
}
