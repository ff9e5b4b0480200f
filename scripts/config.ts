// npm run config: prints every setting as it is in force, without secrets.
import { SettingsError, settingsInForce } from '#server/settings/settings.ts'

try {
  const settings = settingsInForce(process.env)
  const width = Math.max(...settings.map(({ name }) => name.length))
  for (const { name, value, from } of settings)
    console.log(`${name.padEnd(width)}  ${value}${from === 'default' ? '' : `  (${from})`}`)
} catch (error) {
  console.error(error instanceof SettingsError ? error.message : error)
  process.exitCode = 1
}
