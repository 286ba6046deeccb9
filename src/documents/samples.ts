/** The rest of an id in examples: in the form of real ids, but the id of nothing. */
const rest = '01a1fe241d3975cf83926a5fa84be463'

/** The example with full ids in place of short ones such as `thr_…`. */
export function samples<T>(example: T): T {
  const text = JSON.stringify(example).replaceAll(/"([a-z]{3,4})_…"/g, `"$1_${rest}"`)
  // The same value except for those texts.
  return JSON.parse(text) as T
}

/** Members of narrower paths, which the example of an operation may omit. */
export const named: Readonly<Record<string, string>> = {
  char_id: 'ada',
  task_id: 'digest',
  app_id: 'newsroom',
}
