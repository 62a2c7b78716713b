import { Link } from 'wouter';
import { modelHref } from '../format/page-address.ts';
import { Identifier } from './identifier.tsx';
import classes from './name-link.module.css';

/** The name of a model, with a link to its page. */
export function ModelName({ model }: { model: string }) {
  return (
    <Identifier text={model} label="name of the model">
      <Link href={modelHref(model)} className={classes.link}>
        {model}
      </Link>
    </Identifier>
  );
}
