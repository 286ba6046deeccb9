import { parentPort, workerData } from 'node:worker_threads'

/** The module that does the work, given when the thread was started. */
interface Desk {
  work(job: unknown): unknown
}

// The composition root names the module, which has this one function.
const desk = (await import(String(workerData))) as Desk

parentPort?.on('message', (job: unknown) => {
  try {
    parentPort?.postMessage(desk.work(job))
  } catch (cause) {
    parentPort?.postMessage({ failed: cause instanceof Error ? String(cause.stack) : 'unknown' })
  }
})
