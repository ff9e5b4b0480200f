import { useState } from 'react'
import type { PlainDate } from '#shared/dates.ts'
import { DateField } from '#web/dates/DateField.tsx'
import { DateRangeField } from '#web/dates/DateRangeField.tsx'
import { Part, Row } from '#web/showcase/Part.testing.tsx'
import classes from '#web/showcase/showcase.module.css'

function Field({ first, ...rest }: { label: string; first: string; time?: boolean; description?: string }) {
  const [value, setValue] = useState(first)
  return <DateField {...rest} value={value} onChange={setValue} />
}

function Range({ label, first = [] }: { label: string; first?: readonly PlainDate[] }) {
  const [[from, to], setRange] = useState<readonly (PlainDate | undefined)[]>(first)
  return <DateRangeField label={label} from={from} to={to} onChange={(...range) => setRange(range)} />
}

export const Dates = () => (
  <Part title="Dates">
    <div className={classes.columns}>
      <Field label="Due date" first="2026-11-18" />
      <Field label="Follow-up" first="" description="As people write it: next friday, 3.12., in 2 weeks." />
      <Field label="Demo" first="2026-11-18T14:30" time />
      <Field label="Not a date" first="31 Nov" />
      <DateField label="Locked" value="2026-11-18" disabled onChange={() => {}} />
    </div>
    <h3>Ranges</h3>
    <Row>
      <Range label="Date" />
      <Range label="Created" first={['2026-10-19', '2026-11-18']} />
    </Row>
  </Part>
)
