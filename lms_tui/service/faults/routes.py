"""Routes to control fault injection, for administrators."""

from datetime import datetime
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, FastAPI
from pydantic import BaseModel, Field
from starlette.types import ASGIApp

from lms_tui.service.core.errors import Invalid
from lms_tui.service.core.roles import admin_of
from lms_tui.service.faults.fault_injector import FaultInjector
from lms_tui.service.faults.faults import FaultError
from lms_tui.service.faults.switch import CONTROL, FaultSwitch


class FaultBody(BaseModel):
    fault: Annotated[str, Field(max_length=300)]


class ClockBody(BaseModel):
    """`advance`: seconds."""

    advance: Annotated[float, Field(ge=0, allow_inf_nan=False)]


class FaultList(BaseModel):
    faults: list[str]


class ClockReading(BaseModel):
    now: datetime


class ReportReading(BaseModel):
    requests: int
    faults: dict[str, int]
    answers_offered: int
    questions_answered: int
    answers_kept: int


def install(app: FastAPI, injector: FaultInjector) -> ASGIApp:
    """Add the control routes and return the application wrapped in a `FaultSwitch`."""
    app.include_router(_routes(injector))
    return FaultSwitch(app, injector)


def _routes(injector: FaultInjector) -> APIRouter:
    router = APIRouter(prefix=CONTROL.rstrip("/"), dependencies=[Depends(admin_of)], include_in_schema=False)

    def listed() -> FaultList:
        return FaultList(faults=[fault.text for fault in injector.faults])

    @router.get("/faults/")
    def list_faults() -> FaultList:
        return listed()

    @router.post("/faults/", status_code=HTTPStatus.CREATED)
    def add_fault(body: FaultBody) -> FaultList:
        try:
            injector.add(body.fault)
        except FaultError as error:
            raise Invalid({"fault": [f"{error} {error.advice}"]}) from error
        return listed()

    @router.delete("/faults/")
    def clear_faults() -> FaultList:
        injector.clear()
        return listed()

    @router.get("/clock/")
    def read_clock() -> ClockReading:
        return ClockReading(now=injector.clock())

    @router.post("/clock/")
    def advance_clock(body: ClockBody) -> ClockReading:
        try:
            return ClockReading(now=injector.clock.advance(body.advance))
        except FaultError as error:
            raise Invalid({"advance": [f"{error} {error.advice}"]}) from error

    @router.get("/report/")
    def read_report() -> ReportReading:
        report = injector.report()
        return ReportReading(
            requests=report.requests,
            faults=dict(report.faults),
            answers_offered=report.offered,
            questions_answered=report.questions,
            answers_kept=report.kept,
        )

    return router
