import { writeFile } from 'node:fs/promises'
import { rolldown } from 'rolldown'
import { viewScript } from '#adapters/commands/build/view-script.ts'

const script = await viewScript(rolldown)
const place = new URL('../../protocol/mcp/apps/script.json', import.meta.url)
await writeFile(place, `${JSON.stringify({ script })}\n`)
