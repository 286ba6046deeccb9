import { AggregatorRegistry } from 'prom-client'
import type { Figures } from './counted.ts'

/** The page for Prometheus of several processes: what they count is added up. */
export function pageOf(parts: readonly Figures[]): Promise<string> {
  return added(parts).metrics()
}

/** What processes that have ended counted, as the part of one: else a sum would fall as they end. */
export async function endedPart(parts: readonly Figures[]): Promise<Figures> {
  const counted = parts.map((part) => part.filter(({ type }) => type !== 'gauge'))
  // The library's types name the kinds by numbers, and its values have these words.
  return (await added(counted).getMetricsAsJSON()) as unknown as Figures
}

function added(parts: readonly Figures[]) {
  return AggregatorRegistry.aggregate(parts.map((part) => [...part]))
}
