import * as z from 'zod'
import {
  enabled,
  freeObject,
  optionalText,
  partsAtMost,
  textMap,
  texts,
} from '#src/core/schema-parts.ts'

export const McpServer = z
  .looseObject({
    name: z.string(),
    url: optionalText,
    env: textMap.describe('Header by header; shown as ***, but for {{secret.NAME}}'),
    enabled,
  })
  .meta({ id: 'MCPServerConfig' })
/** A tool server that the agent's runs may call. */
export type McpServer = z.infer<typeof McpServer>

export const Plugin = z
  .looseObject({ name: z.string(), version: optionalText, config: freeObject, enabled })
  .meta({ id: 'PluginConfig' })
/** A bundle of tools by its name. */
export type Plugin = z.infer<typeof Plugin>

export const Hook = z
  .looseObject({
    event: z.string().describe('before_run, after_run, on_error or a platform event'),
    action: z.string().describe('task:<task_id>, webhook:<https url> or memory:<namespace>/<key>'),
    description: optionalText,
    enabled,
  })
  .meta({ id: 'HookConfig' })
/** What happens alongside a run, and when. */
export type Hook = z.infer<typeof Hook>

export const Brain = z
  .looseObject({
    agent_type: optionalText,
    abode_fork: optionalText,
    llm_provider: optionalText,
    llm_model: optionalText,
    temperature: z.number().min(0).max(2).nullable().default(0.7),
    max_tokens: z.int().min(1).max(128_000).nullable().default(4096),
    system_prompt_override: optionalText,
    mcps: z.array(McpServer).max(partsAtMost).default([]),
    plugins: z.array(Plugin).max(partsAtMost).default([]),
    skills: texts,
    custom_skill_urls: texts,
    custom_mcp_urls: texts,
    custom_plugin_urls: texts,
    hooks: z.array(Hook).max(partsAtMost).default([]),
  })
  .meta({ id: 'BrainSchema' })
/** What an agent thinks with: model settings, tool servers, bundles and hooks. */
export type Brain = z.infer<typeof Brain>
