import { loadQuickly } from './process/modules.ts'
import { holdYoungGeneration } from './process/young-generation.ts'

holdYoungGeneration()
loadQuickly()

// Only modules imported from here on are loaded this way.
const { run } = await import('./process.ts')
await run(process.env, import.meta.filename)
