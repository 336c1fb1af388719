-- Each write compares its term with that of the writer instead.
alter table deploy.logs drop column term;
