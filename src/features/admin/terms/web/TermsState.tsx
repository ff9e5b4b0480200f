import type { TermsRow } from '#features/admin/terms/contract.ts'
import { Tone } from '#web/parts/Tone.tsx'

const tones = { 'in force': 'green', 'to come': 'blue', past: 'gray', replaced: 'gray' } as const
const words = { 'in force': 'In effect', 'to come': 'Scheduled', past: 'Past', replaced: 'Replaced' } as const

/** Badge with a version's state today. */
export const TermsState = ({ state }: { state: TermsRow['state'] }) => (
  <Tone tone={tones[state]}>{words[state]}</Tone>
)
