// The violations of a page: the rule, where, and why; with or without the contrast of colours.
async ([theirs, contrast]) => {
  const options = { resultTypes: ["violations"], rules: { "color-contrast": { enabled: contrast } } };
  const { violations } = await axe.run({ exclude: theirs.map((one) => [one]) }, options);
  return violations.filter(({ impact }) => impact !== "minor").flatMap(({ id, nodes }) => nodes.map(({ html, any, all, none }) =>
    `${id}: ${html.slice(0, 160)}: ${[...any, ...all, ...none][0]?.message}`));
}
