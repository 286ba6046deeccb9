import type { Metrics } from '#adapters/metrics/counted.ts'

/** A fact that is the same in all processes; at first 0. @returns what shows it */
export function showsFact(metrics: Metrics, name: string, help: string): (value: number) => void {
  const show = metrics.facts({ name, help, labels: [], first: [{}], over: 'max' })
  return (value) => show({}, value)
}
