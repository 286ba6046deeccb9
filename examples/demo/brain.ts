import type { Readings } from './gauges.ts'

/**
 * Stands where a language model would: it does what the prompt of a leased run asks, from the
 * figures that the prompt gives and nothing else.
 */
export function think(prompt: string): string {
  const [, station = 'here'] = /forecast for (.+?) in three sentences/.exec(prompt) ?? []
  const [, figures = ''] = /Figures: (\{.*\})/s.exec(prompt) ?? []
  // The task's prompt puts the readings there as JSON.
  const readings = JSON.parse(figures) as Readings
  const { wind_from, wind_knots, gusts_knots, high_water, tide_cm, visibility_m } = readings
  const danger = gusts_knots > 40 ? 'Small boats stay in today' : 'Small boats take care today'
  return [
    `${danger}: gusts of ${gusts_knots} knots from the ${wind_from} over ${station}.`,
    `High water at ${high_water} reaches ${tide_cm} cm, so the low quay floods for an hour.`,
    `Steady wind is ${wind_knots} knots and you can see ${visibility_m} m: coffee is on at the watch.`,
  ].join(' ')
}
