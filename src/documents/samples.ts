/** The rest of an id in examples: of the form that ids have, and of nobody's. */
const rest = '01a1fe241d3975cf83926a5fa84be463'

/** The example with ids as they are where it has them short, such as `thr_…`. */
export function samples<T>(example: T): T {
  const text = JSON.stringify(example).replaceAll(/"([a-z]{3,4})_…"/g, `"$1_${rest}"`)
  // The same value but for those texts.
  return JSON.parse(text) as T
}

/** Members of narrower paths, which the example of an operation need not name. */
export const named: Readonly<Record<string, string>> = {
  char_id: 'ada',
  task_id: 'digest',
  app_id: 'newsroom',
}
