/** The largest array of bytes in this thread: what packed content may expand to, rounded up to a power of two. */
const bytesAtMost = 64 * 2 ** 20

/**
 * Makes larger arrays of bytes fail, before any memory is taken for them. Parsers of packed formats double
 * their buffers in one step, which nothing outside can interrupt: a kilobyte of a PDF expands to gigabytes.
 * @returns whether one was asked for since this was last asked; a library may hide the error
 */
export function boundArrays(): () => boolean {
  let isExceeded = false
  const exceed = (): void => {
    isExceeded = true
  }
  globalThis.Uint8Array = bounded(globalThis.Uint8Array, exceed)
  globalThis.ArrayBuffer = bounded(globalThis.ArrayBuffer, exceed)
  return () => {
    const was = isExceeded
    isExceeded = false
    return was
  }
}

function bounded<C extends new (...args: never[]) => object>(kind: C, exceed: () => void): C {
  return new Proxy(kind, {
    construct(target, args: unknown[], newTarget) {
      const [length] = args
      if (typeof length === 'number' && length > bytesAtMost) {
        exceed()
        throw new RangeError(`No array has more than ${bytesAtMost} bytes here.`)
      }
      // Of the kind that was asked for.
      return Reflect.construct(target, args, newTarget) as object
    },
  })
}
