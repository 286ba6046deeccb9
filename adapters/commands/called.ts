import { join } from 'node:path'
import { root } from '#adapters/process/build.js'

/**
 * How a program is called where this process was started: by the script of a checkout, or by the command of the package.
 * @param name its first word, such as `invite`
 */
export function calledAs(
  name: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): string {
  const { npm_package_json: file, npm_lifecycle_event: script } = env
  // npx says both too, of the folder that it is called in.
  const isScript = file === join(root, 'package.json') && script !== 'npx'
  return isScript ? `npm run ${name} --` : `abode ${name}`
}
