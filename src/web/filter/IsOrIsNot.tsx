import classes from '#web/filter/choices.module.css'

interface Props {
  /** Name of the filter. */
  label: string
  isNot: boolean
  onChange: (isNot: boolean) => void
}

/** Two buttons: whether the chosen values are to be had, or left out. */
export const IsOrIsNot = ({ label, isNot, onChange }: Props) => (
  <fieldset className={classes.modes} aria-label={`Condition on ${label}`}>
    {[false, true].map((mode) => (
      <button
        key={String(mode)}
        type="button"
        className={classes.mode}
        aria-pressed={isNot === mode}
        onClick={() => onChange(mode)}
      >
        {mode ? 'is not' : 'is'}
      </button>
    ))}
  </fieldset>
)
