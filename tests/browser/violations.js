// The axe-core violations of a page: rule, element and reason; with or without colour contrast.
async ([theirs, contrast]) => {
  const options = { resultTypes: ["violations"], rules: { "color-contrast": { enabled: contrast }, "target-size": { enabled: true } } };
  const { violations } = await axe.run({ exclude: theirs.map((one) => [one]) }, options);
  return violations.filter(({ impact }) => impact !== "minor").flatMap(({ id, nodes }) => nodes.map(({ html, any, all, none }) =>
    `${id}: ${html.slice(0, 160)}: ${[...any, ...all, ...none][0]?.message}`));
}
