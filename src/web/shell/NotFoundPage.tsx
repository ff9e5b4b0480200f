import { Link } from '@tanstack/react-router'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import classes from '#web/parts/PageError.module.css'

/** Page for an unknown URL (A §2). */
export function NotFoundPage() {
  return (
    <>
      <PageHeader title="Not Found - 404" />
      <div className={classes.error}>
        <p className={classes.text}>We couldn’t find this page.</p>
        <Link to="/dashboard">Go to dashboard</Link>
      </div>
    </>
  )
}
