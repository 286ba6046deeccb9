import type { Metrics } from './counted.ts'

export const noMetrics: Metrics = {
  request: () => undefined,
  refused: () => undefined,
  runEnded: () => undefined,
  held: () => undefined,
  purged: () => undefined,
  slotsTaken: () => undefined,
  leaseExpired: () => undefined,
  stored: () => undefined,
  modelTurn: () => undefined,
  outage: () => undefined,
  gauge: () => undefined,
  facts: () => () => undefined,
  text: () => Promise.resolve(''),
  figures: () => Promise.resolve([]),
  contentType: 'text/plain; charset=utf-8',
}

/** Opens the metrics; their library is loaded only if they are on. @param endedStatuses in which runs end */
export async function openMetrics(
  isOn: boolean,
  endedStatuses: readonly string[] = [],
): Promise<Metrics> {
  if (!isOn) return noMetrics
  const { openPrometheus } = await import('./prometheus.ts')
  return openPrometheus(endedStatuses)
}
