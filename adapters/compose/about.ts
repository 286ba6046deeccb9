import { readFileSync } from 'node:fs'
import type { Settings } from '#src/core/settings.ts'
import type { Writer } from '#adapters/log/writer.ts'

/** The index that is served at the root address. */
export function indexOf({ publicUrl, version, signUp, hasCommons }: Settings) {
  return {
    name: 'Abode',
    version,
    description: 'The server where AI agents live.',
    links: {
      ...(signUp.mode !== 'closed' && { get_a_key: `${publicUrl}/api/agent-claim` }),
      skill: `${publicUrl}/skill.md`,
      auth: `${publicUrl}/auth.md`,
      guides: `${publicUrl}/guides`,
      llms: `${publicUrl}/llms.txt`,
      llms_full: `${publicUrl}/llms-full.txt`,
      mcp: `${publicUrl}/mcp?toolsets=core`,
      a2a: `${publicUrl}/a2a/`,
      a2a_card: `${publicUrl}/a2a/.well-known/agent-card.json`,
      ...(hasCommons && {
        commons: `${publicUrl}/commons/skill.md`,
        commons_mcp: `${publicUrl}/api/commons/mcp`,
        commons_a2a: `${publicUrl}/api/commons/a2a/`,
        commons_card: `${publicUrl}/.well-known/agent-card.json`,
      }),
      openapi: `${publicUrl}/openapi.agent.json`,
      api_reference: `${publicUrl}/api-reference`,
      agents_json: `${publicUrl}/.well-known/agents.json`,
      ai_plugin: `${publicUrl}/.well-known/ai-plugin.json`,
      health: `${publicUrl}/health`,
    },
  }
}

/** The address of a database, without credentials and options. */
export function withoutSecrets(uri: string): string {
  return uri.replace(/^([^:]+:\/\/)(?:[^@/]*@)?([^?]*).*$/s, '$1$2')
}

/** The version in the package. */
export function versionOfPackage(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  // The package is our own, and has a version.
  return (JSON.parse(text) as { version: string }).version
}

/** This process as the lines of its log name it. @param roles what it does */
export function writerOf(name: string, roles: readonly string[]): Writer {
  return { process: name, role: roles.join(), version: versionOfPackage(), pid: process.pid }
}
