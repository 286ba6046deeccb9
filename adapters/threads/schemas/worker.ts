import { parentPort } from 'node:worker_threads'
import { check } from './check.ts'
import type { Job } from './schemas.ts'

parentPort?.on('message', ({ schema, value }: Job) => {
  try {
    parentPort?.postMessage({ misfits: check(schema, value) })
  } catch (cause) {
    parentPort?.postMessage({ failed: cause instanceof Error ? String(cause.stack) : 'unknown' })
  }
})
