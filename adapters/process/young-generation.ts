import { setFlagsFromString } from 'node:v8'

/** What V8 multiplies the young generation by when much of it survives. */
const usualFactor = 8

/**
 * Keeps V8's young generation small for the time of a start, which makes little but what stays: V8 would
 * enlarge it for that to its maximum, about 60 MB, and not give them back while the server is idle.
 */
export function holdYoungGeneration(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
}

/** From now on it grows with the load. */
export function releaseYoungGeneration(): void {
  setFlagsFromString(`--semi-space-growth-factor=${usualFactor}`)
}
