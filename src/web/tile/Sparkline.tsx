import classes from '#web/tile/tile.module.css'

interface Props {
  /** Oldest first. */
  values: readonly number[]
  className?: string | undefined
}

const [width, height, inset] = [100, 30, 2]

/** A line of a number over time, without axes. It only repeats what the text beside it says. */
export function Sparkline({ values, className = '' }: Props) {
  const least = Math.min(...values)
  const range = Math.max(...values) - least || 1
  const points = values.map((value, index) => {
    const x = (index / (values.length - 1)) * width
    const y = height - inset - ((value - least) / range) * (height - 2 * inset)
    return `${x.toFixed(1)} ${y.toFixed(1)}`
  })
  const line = points.join('L')
  return (
    <svg
      className={`${classes.line} ${className}`}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      aria-hidden
    >
      <path className={classes.area} d={`M0 ${height}L${line}L${width} ${height}z`} />
      <path d={`M${line}`} />
    </svg>
  )
}
