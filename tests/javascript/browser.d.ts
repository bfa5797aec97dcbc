/** What the scripts find in the window besides what every browser has. */
declare const Plotly: any;

interface Window {
  Plotly?: any;
  packed?: Record<string, string>; // the scripts of a folder of pages
  plotlyLoading?: Promise<void>;
}

/** The data of the components by their names, and of one that others draw within themselves. */
interface Sent {
  readout: Readout;
}

type Data<Name> = Name extends keyof Sent ? Sent[Name] : any;

/** The components that follow a play head. */
type Follower = { [Name in keyof Sent]: Sent[Name] extends { link: string } ? Name : never }[keyof Sent];

/** How many steps the text has that a component shows. */
type Steps<Data> = Data extends { text: string } ? (data: Data) => number : never;

type Send = (event: string, value?: any) => Promise<boolean>;

/** What the script of a component is called with. */
interface Component<Name> {
  parentElement: HTMLElement;
  data: Data<Name>;
  setStateValue?: Send;
  setTriggerValue?: Send;
}

/** A control that has a row of words. */
type Stops = DrawnControl & { words: string[] };

/** What a component keeps between two updates. */
interface State<Name> {
  data?: Data<Name>;
  scene?: Data<Name> extends { scene: infer Scene } ? Scene : any;
  [name: string]: any;
}
