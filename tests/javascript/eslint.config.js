// The rules for all scripts of browser components; with --fix, also their formatter. In the top folder:
//   tests/javascript/node_modules/.bin/eslint --config tests/javascript/eslint.config.js --fix pages tests/javascript

import js from "@eslint/js";
import stylistic from "@stylistic/eslint-plugin";
import globals from "globals";

const layout = stylistic.configs.customize({ quotes: "double", semi: true, braceStyle: "1tbs", arrowParens: true });

const LAYOUT = {
  "@stylistic/brace-style": ["error", "1tbs", { allowSingleLine: true }],
  "@stylistic/comma-dangle": ["error", { arrays: "always-multiline", objects: "only-multiline", functions: "never" }],
  "@stylistic/indent": ["error", 2, { SwitchCase: 1, flatTernaryExpressions: true }],
  "@stylistic/indent-binary-ops": "off", // further lines of a condition are indented once
  "@stylistic/max-len": ["error", { code: 120 }],
  "@stylistic/max-statements-per-line": ["error", { max: 2 }], // if (short) return; and (event) => { one(event); }
  "@stylistic/multiline-ternary": "off",
  "@stylistic/no-mixed-operators": "off", // 2 * a + b needs no parentheses
  "@stylistic/object-curly-newline": "off",
  "@stylistic/quote-props": ["error", "as-needed"],
  "@stylistic/space-before-function-paren": ["error", { named: "never" }],
};

const CALL = "CallExpression[callee.name=/^(_|ngettext|lazy_gettext)$/]"; // Babel must find these messages

const SENSE = {
  "array-callback-return": ["error", { allowVoid: true }],
  "dot-notation": "error",
  eqeqeq: "error",
  "no-await-in-loop": "error",
  "no-console": ["error", { allow: ["error"] }],
  "no-eval": "error",
  "no-implicit-coercion": "error",
  "no-implied-eval": "error",
  "no-lonely-if": "error",
  "no-loop-func": "error",
  "no-promise-executor-return": "error",
  "no-restricted-properties": ["error", ...["innerHTML", "outerHTML", "insertAdjacentHTML"].map((property) =>
    ({ property, message: "Text is never markup." }))],
  "no-restricted-syntax": ["error",
    ...[`TemplateLiteral ${CALL}`, `${CALL} > TemplateLiteral`, `${CALL} ${CALL} > Literal`].map((selector) =>
      ({ selector, message: "Babel finds no message in a template literal or in another message." }))],
  "no-self-compare": "error",
  "no-throw-literal": "error",
  "no-unneeded-ternary": "error",
  "no-unused-expressions": "error",
  "no-unused-vars": ["error", { ignoreRestSiblings: true }],
  "no-useless-return": "error",
  "no-var": "error",
  "object-shorthand": "error",
  "prefer-arrow-callback": "error",
  "prefer-const": "error",
  "prefer-rest-params": "error",
  "prefer-spread": "error",
  "prefer-template": "error",
  radix: "error",
  "sort-imports": ["error", { ignoreDeclarationSort: true, ignoreCase: true }],
};

export default [
  js.configs.recommended,
  layout,
  {
    languageOptions: { globals: { ...globals.browser, Plotly: "readonly" } },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: { ...LAYOUT, ...SENSE },
  },
  { files: ["tests/**"], languageOptions: { globals: globals.node }, rules: { "no-restricted-properties": "off" } },
];
