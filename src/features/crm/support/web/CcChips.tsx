import { Chip, Chips } from '#web/parts/Chips.tsx'

interface Props {
  cc: readonly string[]
  onChange: (addresses: string[]) => void
}

/** The people who receive a copy of the reply; a click removes one. */
export const CcChips = ({ cc, onChange }: Props) => (
  <Chips label="Cc">
    {cc.map((address) => (
      <Chip
        key={address}
        text={`Cc ${address}`}
        aria-label={`Remove ${address}`}
        onClick={() => onChange(cc.filter((one) => one !== address))}
      />
    ))}
  </Chips>
)
