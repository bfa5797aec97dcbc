// Written by tests/javascript/data_types.py from the types of Python.

interface BackwardDrawing {
  begin: number;
  substeps: string[][];
  alone: Record<number, string>;
  from_loss: [number, number, string][];
  from_future: [number, number, string][];
  scale: string;
  borders: Border[];
  left: string[];
  factors: [string, string][];
}

interface BackwardNumbers {
  units: number;
  gradients: string[];
  slope: string;
  steps: BackwardStep[];
  so_far: string;
  cut: number[];
}

interface BackwardStep {
  strips: number[][];
  slope: number[];
  sizes: string[];
  mean_slope: string;
  pieces: string[];
  whole: string;
}

interface BatchFrame {
  update: number;
  spans: [number, number][];
  blocks: Block[];
  where: string;
  caption: string;
  handed: string[];
}

interface BendDrawing { at: string; plain_entropy: string; entropy: string; highest: string; rows: BentRow[]; }

interface BentRow { symbol: string; plain: [number, string]; bent: [number, string]; }

interface BesideRow { name: string; parts: [string, boolean][]; }

interface BitRows { size: number[]; bits: DrawnBit[]; says: string; label: string; }

interface Block { cells: string[]; text: string; where: string; }

interface Blocks {
  cell: number[];
  equations: ((Matrix | string)[] | Equation)[];
  each?: boolean;
  link?: string;
  wide?: boolean;
  lit?: number[];
  sum?: WrittenSums;
  beside?: number;
  notice?: string;
  hidden?: boolean;
}

interface Border { after: number; forward: "carried" | "reset"; backward: "cut" | "open"; name?: string; }

interface BothWays {
  in_scene: boolean;
  units: number[];
  names: Record<string, string>;
  means: ([number | null, string[]])[];
  pace: number;
  holds: number[];
  columns: Column[];
  backward?: BackwardDrawing;
}

interface Box { x: number; y: number; w: number; h: number; lines: [string, string][]; }

interface Card { to: [string, string, string]; number: string; question: string; done: boolean; }

interface Cell { text: string; tone?: string; bar?: number; level?: number; }

interface CellDrawing {
  places: number[];
  laws: Record<string, string>;
  activation: string;
  shapes: Record<"state" | "sum" | "joined" | "weights" | "output", string>;
  shown: string;
  input: CellInput;
  steps: string[][];
}

interface CellGrid {
  x: number;
  y: number;
  w: number;
  h: number;
  cells: [string, number, string][][];
  tone: string;
  opens: number | null;
}

interface CellInput { text: string; size: number; ones: number[]; rows: number[][]; }

interface Chapter { name: string; scenes: Card[]; }

interface ChoiceAxis { ticks: [number, string][]; marks: [number, string][]; }

interface ChoiceToken { name: string; at: number; choices: string; nats: string; squares: number; beyond: boolean; }

interface ChoicesDrawing {
  examples: [string, string, boolean][];
  places: string[];
  more: boolean;
  fewer: boolean;
  tokens: ChoiceToken[];
  axis: ChoiceAxis;
  means: DrawnMean[];
  written: string[];
  number: string;
  sentence: string[][];
}

interface CliffMap {
  head: string[];
  frames: string[][][];
  stops: number[][];
  start: number[];
  path: string;
  figure: LiveFigure;
}

interface ClosingSlide {
  opened: number;
  words: string;
  lines: [string, boolean][][];
  at_home: string;
  link: string;
  code: Code | null;
  previous: [string, string, string];
}

interface Code { size: number; path: string; }

interface CodePart { place: string; first: number; lines: string[]; }

interface Column {
  labels: string[];
  state: number[];
  prediction: [string, string, number, boolean][];
  loss: [number | null, string[]];
}

interface Comparison {
  columns: string[];
  rows: string[][];
  gauges?: ((string | Gauge)[])[];
  sentence?: string;
  lines?: number;
  note?: string;
}

interface ContinuationRow {
  text: string;
  own: boolean;
  count: string;
  total: string;
  chance: string;
  token: string;
  perplexity: string;
  missing: string;
  by: Record<string, Ranked>;
}

interface ContinuationsDrawing { names: string[]; kind: string; rows: ContinuationRow[]; }

interface CurveChart {
  x: [number, string][];
  y: [number, string][];
  lines: [number, number, string][];
  run: [number, number][];
  closest: string;
  votes: CurveVote[];
}

interface CurveVote {
  lines: ((number | null)[])[];
  cells: number[][];
  low: (number | null)[];
  middle: (number | null)[];
  high: (number | null)[];
}

interface DependenceDrawing {
  inputs: string[];
  targets: string[];
  instead: string;
  words: string[][];
  shades: number[][];
  changed: number[][];
  ends: string[];
}

interface DiagramDrawing {
  size: number[];
  label: string;
  open: number;
  wires: Wire[];
  boxes: Box[];
  words: Words[];
  grids: CellGrid[];
  places: OpenedPlace[];
}

interface Difference { gain: number[]; top: number; words: string; }

interface DrawnBit { x: number; y: number; bit: string; repeats: boolean; origin: number; }

interface DrawnControl {
  name?: string;
  label?: string;
  words?: string[] | string;
  at?: number;
  marked?: number[];
  help?: string;
  link?: string;
  says?: string | null;
  ends?: string[];
  ticks?: number[];
  typed?: boolean;
  settles?: boolean;
  error?: string;
  short?: string;
  options?: ([string | number, string])[];
  value?: string | number;
  about?: string;
  icon?: string;
  filled?: boolean;
  disabled?: boolean;
  is?: string;
  aside?: boolean;
}

interface DrawnMean { name: string; value: string; at: number; finite: number | null; tone: string; }

interface EchoBorder { x: number; name: string; }

interface EchoColumn { x: number; input: string; answer: string; known: boolean; choices: string; }

interface EchoThread { path: string; known: boolean; }

interface Equation { second: string; first: string; words: string; items: (Matrix | string)[]; }

interface ExpectationStatus {
  can: boolean;
  drawing: boolean;
  drawn: boolean;
  room: number;
  serial: number;
  across: string;
  says: string;
}

interface Figure { data: Record<string, any>[]; layout: Record<string, any>; }

interface Gauge { says: string; turned: string; before: number; after: number; }

interface Grid { head: string[]; rows: Row[]; code: boolean; label: string; }

interface GrowingSamples {
  texts: WrittenText[];
  symbols: string[][];
  joint: string;
  number: number;
  says: string;
  rate: number;
  grows: boolean;
  bend?: BendDrawing;
}

interface HeatMap { title: string; units: number[]; states: string; drawn: number[]; limit: number; ends: string[]; }

interface Histogram { edges: string[]; medians: number[]; said: string[]; place: number; truth: string; }

interface IndexPart { number: string; later: string; title: string; rows: IndexRow[]; }

interface IndexRow { number: string; says: string; answer: string; links: [string, string, string][]; }

interface Kept { number: string; says: string; detail: string; ghost: string; }

interface Lane { y: number; name: string; }

interface LayersDrawing {
  rows: [string, string, string, string][];
  target: string;
  embedded: boolean;
  losses: string[];
  sums: string[];
  mean: string;
}

interface LectureData {
  opened: number;
  says: string;
  undo: boolean;
  limits: Record<string, number>;
  hides: [string, string][];
  file: string;
  votes: string;
  scenes: OwnScene[];
}

interface LinkedTauChart {
  title: string;
  says: string;
  axes: string[];
  lines: TauLine[];
  taus: number[];
  ends: number[];
  ticks: [number, string][];
  stops: TauStop[];
  chosen: number;
  link: string;
}

interface Listing {
  name: string;
  parts: CodePart[];
  lines: [number, number][][][];
  names: [string, number][][][];
  note: string;
}

interface ListingDrawing { listings: Listing[]; substeps: string[][]; arrays: ShownArray[]; }

interface LiveFigure { figure: Figure; keep: string; label: string; plotly: string; }

interface Matrix {
  name: string;
  shape: string;
  lights: "row" | "column" | "cell" | "cell-of" | "";
  stack: "across" | "down";
  parts: MatrixPart[];
}

interface MatrixPart { id: string; tone: string; edit: boolean; cells: [string, number, string][][]; }

interface MiniBatchesDrawing {
  size: number[];
  bar: number[];
  block: number[];
  blocks_x: number[];
  ends: string[];
  starts: [number, string][];
  lanes: Lane[];
  skipped: number;
  cells: number;
  frames: BatchFrame[];
  follows: boolean[];
  in_order: boolean;
  pace: number;
}

interface NetworkSide {
  title: string;
  formula: string[][];
  label: string;
  caption: string;
  state: boolean;
  columns: ReadToken[];
  predictions: [string, number, string, number, string][];
  perplexity: string[];
  verdict: string[][];
}

interface NetworksDrawing { kind: string; before: string[]; after: string[]; pair: number[]; sides: NetworkSide[]; }

interface NewScene { name: string; limits: Record<string, number>; hides: [string, string][]; message: string; }

interface NormGauge { says: string; clip: string; share: number; mark: number; clipped: boolean; scale: string; }

interface NumberWords { number: string; as_if: string; kinds: string; others: string[][]; }

interface NumberedStep { units: ((number | string)[])[]; shares: number[]; output: StepOutput; loss: StepLoss; }

interface OpenedMatrix { name: string; shape: string; tone: string; cells: [string, number, string][][]; }

interface OpenedPlace { title: string; matrices: OpenedMatrix[]; }

interface OwnScene { to: [string, string, string]; page: string; words: Record<string, string>; }

interface Panel {
  title?: string;
  aside?: string;
  formula?: string[][];
  rows?: ((string | string[][])[])[];
  sentences?: string[][][];
}

interface Past { updates: number[]; words: string[]; at: number; film: number[]; }

interface ProductDrawing { laws: [string, string][]; joint: string; inputs: string[]; steps: string[][]; }

interface Ranked { order: number; rank: string; bar: number; dash: number | null; behind: string; }

interface ReadToken { token: string; cells: number[]; }

interface Readout {
  state: string;
  what: string;
  number: string;
  error: string;
  as_if: string;
  kinds: string;
  rows: string[][];
  norm: NormGauge;
  notice: string;
  remedies: string[][];
}

interface ReplacementDrawing {
  tokens: string[];
  targets: string[];
  at: number;
  other: string;
  options: string[];
  choice: number;
  units: number[];
  cells: number[][];
  largest: string;
  distances: string[];
  probabilities: string[][];
  moved: number[];
  says: string;
}

interface RequestedLink {
  link: string;
  opens: string;
  code: Code;
  notes: string[];
  number: number;
  scene: NewScene | null;
}

interface RoomDrawing {
  step: string;
  can: boolean;
  number: number;
  kind: string;
  question: string;
  options: string[];
  misunderstandings: string[];
  right: number;
  counts: number[][];
  earlier: number[][];
  hands: number[];
  advice: string;
  answered: number;
  joined: number;
  shut: boolean;
  by_hand: boolean;
  link: string;
  code: Code | null;
  note: string;
  histogram: Histogram | null;
  chart: CurveChart | null;
}

interface Row { name: string; cells: Cell[]; tone: string; }

interface RunCard {
  state: string;
  title: string;
  aside: string;
  number: string;
  what: string;
  sentence: string;
  curve: number[][];
  past: Past | null;
  buttons: string[][];
  lines: string[];
  small: boolean;
}

interface RunView {
  figure: LiveFigure;
  readout: Readout;
  beside: BesideRow[];
  writing: WritingDrawing;
  expecting: ExpectationStatus;
  scale: string;
  link: string;
}

interface SamplesControls {
  prompt: string;
  serial: number;
  notice: string;
  texts: number;
  most: number;
  greedy: boolean;
  temperature: TemperatureSlider;
}

interface SceneBar {
  key: string;
  opened: number;
  at: string;
  name: string;
  question: string;
  do: string;
  notice: string;
  trains: string;
  why: [string, boolean][][];
  hides: string;
  done: boolean;
  presses: string[];
  watch: [string, string];
  previous: [string, string, string];
  next: [string, string, string];
  all: [string, string, string];
  view: string;
  why_view: string;
  notes: string;
  follows: string;
  planned: [number, number];
}

interface SceneCards {
  opened: number;
  begin: [string, string, string];
  by_key: boolean;
  words: string;
  chapters: Chapter[];
}

interface Shape { name: string; says: string; tone: string; copies: number; w: number; h: number; every: number; }

interface ShapesPanel { lines: ((Shape | string)[])[]; scale: string; sliders: DrawnControl[]; text: TextRows; }

interface ShareWords {
  symbol: string;
  p: string;
  choices: string;
  nats: string;
  percent: string;
  of: string;
  share: number;
  beside: string;
}

interface ShownArray { shape: string; numbers: string[]; }

interface ShownText {
  text?: string;
  pieces?: string[][];
  columns?: number[];
  symbols?: string[];
  tail?: string;
  nats?: number[];
  shades?: number[];
  beside?: number[];
  difference?: Difference | null;
  names?: string[];
  top?: number;
  ticks?: [number, string][];
  running?: number[];
  running_words?: string[];
  running_top?: string;
  picked?: number;
  number?: NumberWords;
  table?: SurpriseTable;
  share?: ShareWords;
}

interface StepLoss { target: string; p: string; nats: string; mean: string; perplexity: string; }

interface StepNumbers {
  laws: Record<string, string>;
  parts: string[];
  from: number[];
  units: number[];
  full: number[];
  steps: NumberedStep[];
}

interface StepOutput {
  rows: ([string, number | string, string, string])[];
  target: number;
  rest: string[];
  sum: string;
  shifted: boolean;
}

interface SumsBelow { bars: number[][]; words: string[][]; left: string[]; }

interface SurpriseTable { heads: string[]; beside: string; after: string; more: boolean; rows: TableRow[]; }

interface TableRow {
  symbol: string;
  score: string;
  exp: string;
  share: number;
  p: string;
  beside: string;
  came: boolean;
}

interface TaskDrawing {
  size: number[];
  above: number;
  rows: [string, number][];
  box: number;
  columns: EchoColumn[];
  threads: EchoThread[];
  lost: EchoThread[];
  borders: EchoBorder[];
  scissors_y: number;
  label: string;
}

interface TauLine { name: string; label: string; dash: string; width: number; values: (number | null)[]; }

interface TauStop { tau: number; words: string[]; }

interface TemperatureSlider { at: number; words: string[]; one: number; }

interface TextRow { text: string; token: string; cells: [number, string][]; }

interface TextRows { title: string; shape: string; rows: TextRow[]; more: string; says: string; }

interface Triangle {
  inputs: string[];
  targets: string[];
  shades: number[][];
  words: string[][];
  ends: string[];
  notes: string[];
  below: SumsBelow | null;
}

interface WeightMap {
  matrices: string[][];
  matrix: string;
  sizes: number[];
  index: number[];
  flat: boolean;
  cells: string;
  shape: number[];
  at: number[];
  pooled: boolean;
  limit: string;
  leads: string;
  title: string;
  says: string;
}

interface Wire { points: [number, number][]; tone: string; }

interface Words { x: number; y: number; text: string; tone: string; anchor: string; step: number; }

interface WritingDrawing { says: string; now: string; when: string; earlier: string[][]; }

interface WrittenSums {
  title: string;
  addends: string[][][][];
  names: [string, string];
  parts: [string, string][][];
  totals: string[][];
  note: string[][];
}

interface WrittenText { seed: number; steps: [number, number, number[], number][]; mean: string; }

interface Sent {
  backward_numbers: { link: string; text: string; numbers: BackwardNumbers; };
  bit_rows: BitRows;
  blocks: Blocks;
  book_index: IndexPart;
  cards: { cards: Panel[]; columns: number[]; };
  cell: { link: string; text: string; units: number[]; cell: CellDrawing; };
  choices: ChoicesDrawing;
  cliff_map: CliffMap;
  closing_slide: ClosingSlide;
  comparison: Comparison;
  continuations: { drawing: ContinuationsDrawing | null; prompt: string; notice: string; serial: number; };
  controls: { label: string; look: string; rows: DrawnControl[][]; };
  dependence: { link: string; text: string; drawing: DependenceDrawing; };
  diagram: DiagramDrawing;
  echo_task: TaskDrawing;
  explain: {
    words: [string, [string, string, string, [string, string][], string]][];
    terms: [string, string][];
    names: [string, string][];
    behind: [string, string][];
  };
  grid: Grid;
  kept_share: { stops: Kept[]; chosen: number; link: string; curve: number[]; begins: number; };
  layers: { link: string; text: string; columns: string[][]; drawing: LayersDrawing; };
  lecture: LectureData;
  listing: { link: string; drawing: ListingDrawing; };
  live_figure: LiveFigure;
  mini_batches: { drawing: MiniBatchesDrawing; text: string; };
  network: {
    link: string;
    text: string;
    drawing: BothWays;
    substeps: string[][];
    label: string;
    plays: boolean;
    aside: boolean;
  };
  present: {  };
  product: { link: string; text: string; drawing: ProductDrawing; };
  replacement: ReplacementDrawing;
  room: RoomDrawing;
  run_card: RunCard;
  run_view: RunView;
  samples: { drawing: GrowingSamples | null; controls: SamplesControls; };
  scene_bar: SceneBar;
  scenes: SceneCards;
  shapes: ShapesPanel;
  share_dialog: { link: RequestedLink | null; };
  step_numbers: { link: string; text: string; columns: string[][]; numbers: StepNumbers; heat: HeatMap; };
  surprise: { drawing: ShownText; notices: string[]; serial: number; };
  tab: { name: string; waits: boolean; };
  tabs: { label: string; tabs: [string, string][]; open: string; controls: DrawnControl[]; };
  tau_chart: LinkedTauChart;
  transport: { playing: boolean; targets: Record<string, number>; speed: number; across: string; };
  triangle: {
    link: string;
    text: string;
    drawing: Triangle;
    title: string;
    unit: string;
    joint: string;
    reach: number[] | null;
    reaches: (number[] | null)[] | null;
  };
  two_networks: NetworksDrawing;
  unit_text: { link: string; text: string; columns: string[][]; suggestions: [string, number][]; };
  weight_map: WeightMap;
  writing: { link: string; writing: WritingDrawing; };
}
