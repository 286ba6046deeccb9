import { isMap } from '#src/core/maps.ts'
import type { ImportFormat } from './report.ts'

type Members = Readonly<Record<string, unknown>>

/** The format name in an export. */
export const exportFormat = 'abode'
/** The version of the export format. */
export const exportVersion = 1

/** The format of a document, by its members; undefined if it cannot be an agent. */
export function formatOf(document: Members): ImportFormat | undefined {
  const { spec, data, format, character } = document
  if (isMap(data) && typeof spec === 'string' && spec.startsWith('chara_card_')) {
    return spec === 'chara_card_v3' ? 'chara_card_v3' : 'chara_card_v2'
  }
  if (format === exportFormat && isMap(character)) return 'abode'
  if (isName(document.name) && ours.some((name) => isMap(document[name]))) return 'abode'
  if (isAgentCard(document)) return 'a2a_agent_card'
  if (isEliza(document)) return 'elizaos'
  if (isFirstCard(document)) return 'chara_card_v1'
  return isName(document.name) ? 'abode' : undefined
}

/** Members that no other format has. */
const ours = ['brain', 'heart', 'control', 'visibility', 'appearance', 'personality']

function isName(value: unknown): boolean {
  return (typeof value === 'string' && value !== '') || typeof value === 'number'
}

function has(document: Members, names: readonly string[]): boolean {
  return names.some((name) => Object.hasOwn(document, name))
}

const transport = ['url', 'protocolVersion', 'preferredTransport', 'additionalInterfaces']
const modes = ['capabilities', 'defaultInputModes', 'defaultOutputModes']

function isAgentCard(document: Members): boolean {
  if (!isName(document.name)) return false
  if (Array.isArray(document.supportedInterfaces)) return true
  return has(document, transport) && has(document, modes) && Array.isArray(document.skills)
}

const ofElizaAlone = [
  'messageExamples',
  'postExamples',
  'modelProvider',
  'adjectives',
  'lore',
  'clients',
]

function isEliza(document: Members): boolean {
  if (!isName(document.name) && !isName(document.username)) return false
  const { bio, system, plugins, settings, style, topics } = document
  if (has(document, ofElizaAlone) || Array.isArray(bio)) return true
  if (isMap(settings) && has(settings, ['secrets', 'voice', 'modelConfig'])) return true
  if (isMap(style) && has(style, ['all', 'chat', 'post'])) return true
  return bio !== undefined && (isName(system) || Array.isArray(plugins) || Array.isArray(topics))
}

function isFirstCard(document: Members): boolean {
  if (isName(document.char_name)) return has(document, ['char_persona', 'char_greeting'])
  return isName(document.name) && has(document, ['first_mes', 'mes_example'])
}
