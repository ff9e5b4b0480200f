import { useState } from 'react'
import { TextInput } from '@mantine/core'
import { moneyAmount } from '#shared/numbers.ts'

interface AmountProps {
  label: string
  value: number | undefined
  onChange: (value: number | undefined) => void
}

/** An amount that applies once the user leaves the field or presses Enter. */
export default function AmountInput({ label, value, onChange }: AmountProps) {
  const [typed, setTyped] = useState(value === undefined ? '' : String(value))
  const read = typed.trim() === '' ? undefined : moneyAmount.safeParse(typed)
  const apply = () => {
    if ((read === undefined || read.success) && read?.data !== value) onChange(read?.data)
  }
  return (
    <TextInput
      size="xs"
      w={130}
      aria-label={label}
      placeholder={label}
      inputMode="decimal"
      value={typed}
      error={read?.success === false && read.error.issues[0]?.message}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={apply}
      onKeyDown={(event) => {
        if (event.key === 'Enter') apply()
      }}
    />
  )
}
