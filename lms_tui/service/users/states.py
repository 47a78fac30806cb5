"""ISO 3166-2:IN, the subdivisions of India by code."""

from types import MappingProxyType
from typing import Final

STATES: Final = MappingProxyType(
    {
        "IN-AN": "Andaman and Nicobar Islands",
        "IN-AP": "Andhra Pradesh",
        "IN-AR": "Arunachal Pradesh",
        "IN-AS": "Assam",
        "IN-BR": "Bihar",
        "IN-CG": "Chhattisgarh",
        "IN-CH": "Chandigarh",
        "IN-DH": "Dadra and Nagar Haveli and Daman and Diu",
        "IN-DL": "Delhi",
        "IN-GA": "Goa",
        "IN-GJ": "Gujarat",
        "IN-HP": "Himachal Pradesh",
        "IN-HR": "Haryana",
        "IN-JH": "Jharkhand",
        "IN-JK": "Jammu and Kashmir",
        "IN-KA": "Karnataka",
        "IN-KL": "Kerala",
        "IN-LA": "Ladakh",
        "IN-LD": "Lakshadweep",
        "IN-MH": "Maharashtra",
        "IN-ML": "Meghalaya",
        "IN-MN": "Manipur",
        "IN-MP": "Madhya Pradesh",
        "IN-MZ": "Mizoram",
        "IN-NL": "Nagaland",
        "IN-OD": "Odisha",
        "IN-PB": "Punjab",
        "IN-PY": "Puducherry",
        "IN-RJ": "Rajasthan",
        "IN-SK": "Sikkim",
        "IN-TN": "Tamil Nadu",
        "IN-TR": "Tripura",
        "IN-TS": "Telangana",
        "IN-UK": "Uttarakhand",
        "IN-UP": "Uttar Pradesh",
        "IN-WB": "West Bengal",
    }
)
