import { loadQuickly } from './process/modules.ts'

loadQuickly()

// Only what is imported from here on is loaded so.
const { run } = await import('./process.ts')
await run(process.env)
