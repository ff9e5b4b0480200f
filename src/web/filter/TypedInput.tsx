import { useState } from 'react'
import { TextInput } from '@mantine/core'
import type { z } from 'zod'

interface Props<Value> {
  label: string
  /** Reads what the user typed; its error is shown below the field. */
  schema: z.ZodType<Value>
  value: Value | undefined
  inputMode?: 'decimal' | 'numeric' | 'text'
  maxLength?: number
  onChange: (value: Value | undefined) => void
}

/** A filter that the user types. It applies when they leave the field or press Enter, and says what is wrong with it. */
export default function TypedInput<Value extends string | number>({
  label,
  schema,
  value,
  inputMode,
  maxLength = 200,
  onChange,
}: Props<Value>) {
  const [typed, setTyped] = useState(String(value ?? ''))
  const [seen, setSeen] = useState(value)
  // The filter changed in another way, such as by its chip.
  if (value !== seen) {
    setSeen(value)
    setTyped(String(value ?? ''))
  }
  const read = typed.trim() === '' ? undefined : schema.safeParse(typed)
  const apply = () => {
    if (read?.success !== false && read?.data !== value) onChange(read?.data)
  }
  return (
    <TextInput
      size="xs"
      w={150}
      aria-label={label}
      placeholder={label}
      inputMode={inputMode}
      maxLength={maxLength}
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
