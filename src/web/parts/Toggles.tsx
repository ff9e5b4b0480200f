import classes from '#web/parts/controls.module.css'

interface Props<Value> {
  label: string
  options: readonly { value: Value; label: string }[]
  chosen: readonly Value[]
  onChange: (chosen: Value[]) => void
}

/** Multiple-choice field with a few options, shown as toggle buttons. */
export function Toggles<Value extends string | number>({ label, options, chosen, onChange }: Props<Value>) {
  return (
    <fieldset className={classes.toggles}>
      <legend>{label}</legend>
      {options.map(({ value, label: words }) => (
        <button
          key={value}
          type="button"
          className={classes.toggle}
          aria-pressed={chosen.includes(value)}
          onClick={() =>
            onChange(chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value])
          }
        >
          {words}
        </button>
      ))}
    </fieldset>
  )
}
