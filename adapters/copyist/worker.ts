import { parentPort, workerData } from 'node:worker_threads'

/** What does the work: the module that the thread was started with. */
interface Desk {
  work(job: unknown): unknown
}

// The composition root names the module, and its one function.
const desk = (await import(String(workerData))) as Desk

parentPort?.on('message', (job: unknown) => {
  try {
    parentPort?.postMessage(desk.work(job))
  } catch (cause) {
    parentPort?.postMessage({ failed: cause instanceof Error ? String(cause.stack) : 'unknown' })
  }
})
