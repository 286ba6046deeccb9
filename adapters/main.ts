import { loadQuickly } from './process/modules.ts'

loadQuickly()

// Only modules imported from here on are loaded this way.
const { run } = await import('./process.ts')
await run(process.env)
