/** What the scripts find in the window besides what every browser has. */
declare const Plotly: any;

interface Window {
  Plotly?: any;
  plotlyLoading?: Promise<void>;
}
