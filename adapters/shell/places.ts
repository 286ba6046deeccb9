/** A number of places, handed out in order of request. */
export interface Places {
  /** Resolves with the function that frees the place. @throws the reason of the signal */
  take(signal: AbortSignal): Promise<() => void>
}

/** That many places, all free. */
export function places(count: number): Places {
  const waiting: (() => void)[] = []
  let free = count
  const giveBack = (): void => {
    const next = waiting.shift()
    if (next) next()
    else free += 1
  }
  return {
    take(signal) {
      return new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason)
        const have = (): void => {
          signal.removeEventListener('abort', giveUp)
          resolve(giveBack)
        }
        const giveUp = (): void => {
          waiting.splice(waiting.indexOf(have), 1)
          reject(signal.reason)
        }
        if (free > 0) {
          free -= 1
          return have()
        }
        waiting.push(have)
        signal.addEventListener('abort', giveUp, { once: true })
      })
    },
  }
}
