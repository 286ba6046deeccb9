import { html, type Html } from '#src/core/html/html.ts'

const paths = {
  today: 'M3 10.5 12 3l9 7.5M5.5 9v11h13V9M10 20v-6h4v6',
  needs: 'M12 3a6 6 0 0 1 6 6c0 6 2 7 2 8H4c0-1 2-2 2-8a6 6 0 0 1 6-6M10 20.5h4',
  runs: 'M5 4.5v15l13-7.5z',
  schedule: 'M4 6h16v14H4zM4 10.5h16M8.5 3.5V8M15.5 3.5V8',
  agents:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7M2.5 20c.5-4 3-6 6.5-6s6 2 6.5 6M16 5a3 3 0 0 1 0 6M18 14.5c2 .8 3.2 2.6 3.5 5.5',
  settings: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 4.5v5M9 14.5v5',
} as const
/** A place of the console that has a sign. */
export type Place = keyof typeof paths

/** The sign of a place, next to its name. */
export function placeIcon(place: Place): Html {
  return html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${paths[place]}" /></svg>`
}
