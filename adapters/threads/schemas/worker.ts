import { parentPort } from 'node:worker_threads'
import { check } from './check.ts'
import type { Job } from './schemas.ts'

parentPort?.on('message', ({ schema, text }: Job) => {
  try {
    parentPort?.postMessage({ misfits: check(schema, JSON.parse(text)) })
  } catch (cause) {
    parentPort?.postMessage({ failed: cause instanceof Error ? String(cause.stack) : 'unknown' })
  }
})
