// A rule that is switched off says why: `eslint-disable-next-line RULE -- the reason`.

/** @type {import("eslint").Rule.RuleModule} */
export const describedDisables = {
  meta: { type: "problem", schema: [] },
  create(context) {
    return {
      Program() {
        for (const { value, loc } of context.sourceCode.getAllComments())
          if (/^\s*eslint-disable/.test(value) && !/\s--\s+\S/.test(value) && loc)
            context.report({ loc, message: "Say why the rule is off: -- the reason." });
      },
    };
  },
};
